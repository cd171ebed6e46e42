#if os(Linux) || os(Android)
extension SnakeCase {
    /// Returns `one_two_three` for `oneTwoThree`, and `my_url_path` for `myURLPath`, as `JSONEncoder` does with
    /// `convertToSnakeCase`. Returns nil if the key is not ASCII.
    static func snakeCase(_ key: String) -> String? {
        let bytes = key.utf8.span
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 8)
        var (word, index) = (0, 1)
        /// Appends a word in lowercase, and an underscore before it if it is not the first.
        func append(to end: Int, _ bytes: Span<UInt8>) {
            if word > 0 { result.append(UInt8(ascii: "_")) }
            for position in word..<end {
                result.append(isUppercase(bytes[position]) ? bytes[position] | 0x20 : bytes[position])
            }
            word = end
        }
        for position in bytes.indices where bytes[position] >= 0x80 { return nil }
        while let upper = next(bytes, from: index, isUppercase) {
            append(to: upper, bytes)
            guard let lower = next(bytes, from: upper, isLowercase) else { break }
            // Several capital letters are a word, without the last one, which begins the next word.
            if lower > upper + 1 { append(to: lower - 1, bytes) }
            index = lower + 1
        }
        append(to: bytes.count, bytes)
        return String(decoding: result, as: UTF8.self)
    }

    private static func next(_ bytes: Span<UInt8>, from start: Int, _ isFound: (UInt8) -> Bool) -> Int? {
        var index = start
        while index < bytes.count {
            if isFound(bytes[index]) { return index }
            index += 1
        }
        return nil
    }

    private static func isUppercase(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }
    private static func isLowercase(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }
}
#endif
