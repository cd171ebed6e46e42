extension KeyParser {
    /// Reads one key from the front of some bytes; keeps no state.
    enum Decoder {
        /// What stands at the front.
        enum Step: Equatable {
            /// A key, of so many bytes.
            case key(Key, length: Int)
            /// So many bytes that mean nothing.
            case dropped(length: Int)
            /// The mark that begins a paste.
            case pasteStart(length: Int)
            /// The beginning of something.
            case incomplete
        }

        private static let escape: UInt8 = 0x1B

        static func next(in input: ArraySlice<UInt8>) -> Step {
            switch input.first {
            case nil: .incomplete
            case escape: escaped(input)
            case .some(let byte) where byte < 0x20 || byte == 0x7F: .key(control(byte), length: 1)
            default: text(input)
            }
        }

        /// What the beginning of something means when the rest never comes.
        static func unfinished(_ input: ArraySlice<UInt8>) -> Key? {
            guard input.first == escape else { return nil }
            guard input.count > 1 else { return .escape }
            switch input.dropFirst().first {
            case UInt8(ascii: "["): return input.count == 2 ? .alt("[") : nil
            case UInt8(ascii: "O"): return .alt("O")
            default: return .escape
            }
        }
    }
}

extension KeyParser.Decoder {
    static func control(_ byte: UInt8) -> Key {
        switch byte {
        case 0x00: .ctrl(" ")
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x1B: .escape
        case 0x1C...0x1F: .ctrl(Character(Unicode.Scalar(byte + 0x40)))
        default: .ctrl(Character(Unicode.Scalar(byte + 0x60)))
        }
    }

    /// One UTF-8 character. Ill-formed bytes are dropped up to the first that could begin a new one (Unicode 3.9,
    /// D93b).
    private static func text(_ input: ArraySlice<UInt8>) -> Step {
        var parser = Unicode.UTF8.ForwardParser()
        var bytes = input.makeIterator()
        switch parser.parseScalar(from: &bytes) {
        case .valid(let encoded):
            let scalar = Unicode.UTF8.decode(encoded)
            return (0x80...0x9F).contains(scalar.value)
                ? .dropped(length: encoded.count) : .key(.character(Character(scalar)), length: encoded.count)
        case .emptyInput:
            return .incomplete
        case .error(let length):
            let mayGrow = length == input.count && (0xC2...0xF4).contains(input[input.startIndex])
            return mayGrow ? .incomplete : .dropped(length: length)
        }
    }

    private static func escaped(_ input: ArraySlice<UInt8>) -> Step {
        let rest = input.dropFirst()
        switch rest.first {
        case nil: return .incomplete
        case escape: return .key(.escape, length: 1)
        case UInt8(ascii: "["): return controlSequence(input)
        case UInt8(ascii: "O"): return singleShift(input)
        default: return alternate(next(in: rest))
        }
    }

    /// Alt with a key is sent as ESC and the key; if the key is garbage, the ESC still was one.
    private static func alternate(_ step: Step) -> Step {
        switch step {
        case .key(let key, let length): .key(key.holding(.alt), length: length + 1)
        case .dropped: .key(.escape, length: 1)
        case .pasteStart, .incomplete: step
        }
    }

    /// `ESC O` and a letter (SS3); with any other letter it was Alt+O, and the letter is left alone.
    private static func singleShift(_ input: ArraySlice<UInt8>) -> Step {
        guard let letter = input.dropFirst(2).first else { return .incomplete }
        guard let key = KeyParser.singleShiftKey(letter) else { return .key(.alt("O"), length: 2) }
        return .key(key, length: 3)
    }

    /// `ESC [`, parameters, and a final byte (ECMA-48, 5.4). One that any other byte breaks off is dropped
    /// without that byte; so are private ones, which are answers and no keys.
    private static func controlSequence(_ input: ArraySlice<UInt8>) -> Step {
        let body = input.dropFirst(2)
        guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else { return .incomplete }
        let length = end - input.startIndex + 1
        let final = body[end]
        guard (0x40...0x7E).contains(final) else { return .dropped(length: length - 1) }
        if length == 3, final == UInt8(ascii: "[") { return consoleFunctionKey(input) }
        guard body[..<end].allSatisfy({ (0x30...0x3B).contains($0) }) else { return .dropped(length: length) }
        let parameters = KeyParser.parameters(body[..<end])
        if final == UInt8(ascii: "~"), parameters == [200] { return .pasteStart(length: length) }
        let key = KeyParser.controlSequenceKey(final, parameters)
        return key.map { .key($0, length: length) } ?? .dropped(length: length)
    }

    /// The Linux console sends F1 to F5 as `ESC [ [ A` to `E`.
    private static func consoleFunctionKey(_ input: ArraySlice<UInt8>) -> Step {
        guard let letter = input.dropFirst(3).first else { return .incomplete }
        guard (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(letter) else { return .dropped(length: 3) }
        return .key(.function(Int(letter - UInt8(ascii: "A")) + 1), length: 4)
    }
}
