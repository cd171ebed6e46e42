/// A strategy that converts the local names of elements and attributes to the names of coding keys.
public enum XMLKeyDecodingStrategy: Sendable {
    /// Uses the names unchanged.
    case useDefaultKeys
    /// Converts `publication_date` to `publicationDate`.
    case convertFromSnakeCase
    /// Converts `publication-date` to `publicationDate`.
    case convertFromKebabCase
    /// Converts `PublicationDate` to `publicationDate`: only the first letter changes.
    case convertFromCapitalized
    /// Converts each name with the given function.
    case custom(@Sendable (_ localName: String) -> String)
}

extension XMLKeyDecodingStrategy {
    func key(for name: String) -> String {
        switch self {
        case .useDefaultKeys: name
        case .convertFromSnakeCase: Self.camelCase(name, separator: "_")
        case .convertFromKebabCase: Self.camelCase(name, separator: "-")
        case .convertFromCapitalized: name.prefix(1).lowercased() + name.dropFirst()
        case .custom(let convert): convert(name)
        }
    }

    /// Separators at the beginning and at the end stay, as in Foundation's decoders.
    private static func camelCase(_ name: String, separator: Character) -> String {
        guard let first = name.firstIndex(where: { $0 != separator }),
            let last = name.lastIndex(where: { $0 != separator })
        else { return name }
        let words = name[first...last].split(separator: separator)
        guard words.count > 1 else { return name }
        let joined =
            words[0].lowercased() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return name[..<first] + joined + name[name.index(after: last)...]
    }
}
