extension FieldReader {
    /// A directive of `Cache-Control`: a name and an optional argument (RFC 9111 §5.2).
    struct Directive {
        var name: UnsafeRawBufferPointer

        /// The text of the argument, without quotes and with its escapes; nil if there is none.
        var argument: UnsafeRawBufferPointer?

        /// True if text follows that the grammar does not allow, for example a space before the equals sign.
        var isMalformed = false
    }

    /// Takes the next directive and the text up to the comma after it. The name is empty if the text does not begin
    /// with a name. Returns nil at the end.
    mutating func takeDirective() -> Directive? {
        skipToMember()
        guard !isAtEnd else { return nil }
        var directive = Directive(name: takeToken())
        if skip(UInt8(ascii: "=")) {
            directive.argument = takeQuoted() ?? takeToken()
        }
        skipSpaces()
        if !isAtEndOfMember {
            directive.isMalformed = true
            skipMember()
        }
        if hasOpenQuote { directive.isMalformed = true }
        return directive
    }
}

extension FieldReader.Directive {
    /// The argument as a number of seconds; nil if it is missing or does not parse.
    var seconds: UInt32? { isMalformed ? nil : argument?.deltaSeconds }

    /// The argument as a number of seconds; 2³¹ if it is missing; nil if it does not parse.
    var secondsOrAny: UInt32? { isMalformed || argument != nil ? seconds : .maximumDelta }

    /// Adds the names of fields in the argument. Returns false if there are none, if the argument is not a list of
    /// names, or if there are too many.
    func addNames(to names: inout [String]) -> Bool {
        guard let argument, !isMalformed else { return false }
        var reader = FieldReader(argument)
        let count = names.count
        reader.skipToMember()
        while !reader.isAtEnd {
            let name = reader.takeToken()
            reader.skipSpaces()
            guard !name.isEmpty, reader.isAtEndOfMember, names.count < CacheControl.nameLimit,
                name.count <= VaryField.nameLengthLimit
            else { return false }
            names.append(name.lowercased)
            reader.skipToMember()
        }
        return names.count > count
    }
}
