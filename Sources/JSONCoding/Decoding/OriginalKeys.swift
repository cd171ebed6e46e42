#if os(Linux) || os(Android)
/// The keys of a document before their conversion from snake case, which dictionaries with string keys keep, or before
/// the replacement of keys by others that are equal as strings, but not as bytes.
final class OriginalKeys {
    /// The names of the keys, by their original numbers.
    let names: [String]
    /// The original number of the key of each pair.
    let pairKeys: CheckedBuffer<UInt32>
    /// A Boolean value that indicates whether the conversion has made two keys equal.
    let haveMerged: Bool

    /// Converts the keys of a text. Returns nil if two keys cannot be told apart in a short time.
    init?(of text: inout ParsedText, _ options: DecodingOptions) {
        var names: [String] = []
        for key in 0..<text.keys.count { names.append(text.keys.name(key)) }
        var converted = KeyTable()
        var numbers: [UInt32] = []
        var haveMerged = false
        for name in names {
            let key = options.convertsFromSnakeCase ? SnakeCase.camelCase(name) : name
            let (number, isNew) = OriginalKeys.number(of: key, in: &converted)
            guard number >= 0 else { return nil }
            haveMerged = haveMerged || !isNew
            numbers.append(UInt32(bitPattern: number))
        }
        var pairKeys = CheckedBuffer<UInt32>(capacity: text.pairKeys.count)
        for pair in 0..<text.pairKeys.count {
            let key = text.pairKeys[pair]
            pairKeys.append(key)
            text.pairKeys[pair] = numbers[Int(key)]
        }
        text.keys = converted
        self.names = names
        self.pairKeys = pairKeys
        self.haveMerged = haveMerged
    }

    private static func number(of name: String, in table: inout KeyTable) -> (number: Int32, isNew: Bool) {
        let count = table.count
        let bytes = name.utf8.span
        let number = table.number(of: bytes, isASCII: ByteHash.isASCII(bytes), isEscaped: false)
        let first = table.firstSpelling(of: number)
        return (first, table.count > count && first == number)
    }
}
#endif
