import HTTPRules

/// A URI with variables, in the syntax of RFC 6570. Supports all four levels of the RFC.
///
///     let template = try URITemplate("/repos/{owner}/{repo}{?page,per_page}")
///     print(try template.expanded(with: ["owner": "apple", "repo": "swift", "page": 2]))  // /repos/apple/swift?page=2
package struct URITemplate: Sendable {
    /// The reason why a text is not a valid template, or why a template cannot be expanded.
    package struct Malformation: Error, CustomStringConvertible {
        /// The invalid part of the template.
        package let part: String
        /// The reason why the part is invalid.
        package let reason: String

        /// The part and the reason.
        package var description: String { "“\(PreparedText.url(part))” in a URI template: \(reason)" }
    }

    private enum Part: Sendable {
        case literal(String)
        case expression(Expression)
    }

    private let parts: [Part]

    /// Parses a template.
    ///
    /// - Throws: ``Malformation`` if a brace has no counterpart, an operator is reserved (RFC 6570 §2.2), or the name
    ///   or the modifier of a variable is invalid.
    package init(_ template: String) throws(Malformation) {
        var parts: [Part] = []
        var rest = template[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[brace] == "{" else { throw Malformation(part: String(rest), reason: "a brace is not opened") }
            if brace > rest.startIndex { parts.append(.literal(Self.escapeLiteral(rest[..<brace]))) }
            let inside = rest[rest.index(after: brace)...]
            guard let end = inside.firstIndex(of: "}") else {
                throw Malformation(part: String(rest[brace...]), reason: "the brace is not closed")
            }
            parts.append(.expression(try Expression(inside[..<end])))
            rest = inside[inside.index(after: end)...]
        }
        if !rest.isEmpty { parts.append(.literal(Self.escapeLiteral(rest))) }
        self.parts = parts
    }

    /// Returns the template with its variables replaced by values (RFC 6570 §3). Missing variables and empty lists are
    /// undefined and produce no text.
    ///
    /// - Throws: ``Malformation`` if the template asks for a prefix of a list or an association (§2.4.1).
    package func expanded(
        with variables: [String: any URITemplateVariable]
    ) throws(Malformation) -> String {
        try pieces(with: variables).map(\.text).joined()
    }

    /// A part of an expanded template.
    struct Piece {
        let text: String
        /// The kind of the expression that produced the text; nil for a literal.
        let style: Style?
    }

    /// Returns the parts of the expanded template, including empty ones.
    func pieces(with variables: [String: any URITemplateVariable]) throws(Malformation) -> [Piece] {
        var pieces: [Piece] = []
        for part in parts {
            switch part {
            case .literal(let text): pieces.append(Piece(text: text, style: nil))
            case .expression(let expression):
                pieces.append(Piece(text: try expression.expanded(with: variables), style: expression.style))
            }
        }
        return pieces
    }

    /// True if the template begins with the scheme of a URI as literal text. A scheme from the value of a variable does
    /// not count.
    var hasScheme: Bool {
        guard case .literal(let text) = parts.first, let colon = text.firstIndex(of: ":") else { return false }
        let scheme = text[..<colon]
        return scheme.first?.isLetter ?? false
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// The names of all variables in the order of their first use, without duplicates.
    package var variableNames: [String] {
        var seen: Set<String> = []
        return parts.flatMap { part in
            if case .expression(let expression) = part { expression.variableNames } else { [String]() }
        }.filter { seen.insert($0).inserted }
    }

    private static func escapeLiteral(_ text: Substring) -> String {
        PercentEncoding.escapeTemplate(text, allowingReserved: true)
    }
}

extension URITemplate: CustomStringConvertible, CustomReflectable {
    /// The names of the variables. The description omits the literal text of the template, because it may contain
    /// secrets.
    package var description: String {
        PreparedText.line("URITemplate(variables: \(variableNames.joined(separator: ", ")))")
    }

    /// An empty mirror, so that `dump` shows only the ``description``.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
