/// The header fields of a message, in the order in which they came.
///
/// Names are compared without regard to ASCII case; repeated fields stay apart until they are asked for.
struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One field line.
    struct Field: Sendable, Equatable {
        var name: String
        var value: String
    }

    private(set) var fields: [Field] = []

    init(_ fields: [Field] = []) {
        self.fields = fields
    }

    init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// All values of a field, first to last.
    func values(of name: String) -> [String] {
        let name = name.lowercased()
        return fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// The values of a field joined as RFC 9110 section 5.3 says; nil if it is absent.
    ///
    /// Setting it replaces every line.
    subscript(name: String) -> String? {
        get {
            let values = values(of: name)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        set {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// Whether a comma-separated field contains a token, in any case.
    func has(_ token: String, in name: String) -> Bool {
        values(of: name).joined(separator: ",").split(separator: ",").contains { element in
            element.filter { $0 != " " && $0 != "\t" }.lowercased() == token
        }
    }

    /// Adds a field line at the end.
    mutating func append(_ field: Field) {
        fields.append(field)
    }
}
