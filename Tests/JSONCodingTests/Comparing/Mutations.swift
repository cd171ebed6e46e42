import Foundation

/// Random changes of a text, from small ones to those that move parts of it.
enum Mutations {
    /// Returns a document with random changes, seldom in another encoding.
    static func document(_ random: inout SplitMix) -> Data {
        let document = Documents.random(&random)
        let text = mutated(Array(document.utf8), &random)
        guard random.below(100) == 0 else { return Data(text) }
        let encodings: [String.Encoding] = [
            .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
        ]
        let encoding = encodings[random.below(encodings.count)]
        return String(decoding: text, as: UTF8.self).data(using: encoding) ?? Data(text)
    }

    private static let tokens: [[UInt8]] = [
        "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "false", "0", "-", ".", "e", "E", "+", "\\u",
        "\\ud83d", "\\ude00", "\\n",
        "1e400", "-0", "1.5", "18446744073709551616", "0.12345678901234567", " ", "\n", "\t", "_", "\"a\":1,", "[1,2],",
        "é", "e\u{301}", "\u{0}", "\u{FEFF}", "\\ufeff",
        "\"id\":1", "\"user_name\":\"x\"", "12345678", "99999999999999999999", "\"2011-01-26T19:01:12Z\"", "\"NaN\"",
    ].map { Array($0.utf8) }

    /// Changes a text one to four times.
    static func mutated(_ text: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var text = text
        for _ in 0..<1 + random.below(4) { change(&text, &random) }
        return text
    }

    private static func change(_ text: inout [UInt8], _ random: inout SplitMix) {
        let position = random.below(text.count + 1)
        let length = min(random.below(12), text.count - position)
        switch random.below(8) {
        case 0: text.removeSubrange(position..<position + length)
        case 1: text.insert(contentsOf: text[position..<position + length], at: random.below(text.count + 1))
        case 2 where position < text.count: text[position] = UInt8(truncatingIfNeeded: random.next())
        case 3 where position < text.count: text[position] ^= 1 << UInt8(random.below(8))
        case 4 where position < text.count: text[position] = UInt8(0x20 + random.below(0x5F))
        case 5: digits(&text, position, &random)
        default: text.insert(contentsOf: tokens[random.below(tokens.count)], at: position)
        }
    }

    /// Changes a number: the digits decide about its type.
    private static func digits(_ text: inout [UInt8], _ position: Int, _ random: inout SplitMix) {
        guard let digit = text[position...].firstIndex(where: { $0 >= 0x30 && $0 <= 0x39 }) else { return }
        let digits = (0..<random.below(22)).map { _ in UInt8(0x30 + random.below(10)) }
        text.insert(contentsOf: digits, at: digit)
    }
}
