import HTTPRules

extension URITemplate {
    /// An expression between two braces: an operator and variables.
    struct Expression: Sendable, Hashable {
        private enum Modifier: Sendable, Hashable {
            case none
            case explode
            case prefix(Int)
        }

        private struct Variable: Sendable, Hashable {
            let name: String
            let modifier: Modifier
        }

        let style: Style
        private let variables: [Variable]

        init(_ text: Substring) throws(Malformation) {
            guard let first = text.first else { throw Malformation(part: "{}", reason: "there is no variable") }
            var list = text
            if let style = Style(first) {
                (self.style, list) = (style, text.dropFirst())
            } else if "=,!@|".contains(first) {
                throw Malformation(part: "{\(text)}", reason: "the operator “\(first)” is reserved")
            } else {
                style = .simple
            }
            var variables: [Variable] = []
            for item in list.split(separator: ",", omittingEmptySubsequences: false) {
                variables.append(try Self.variable(item))
            }
            self.variables = variables
        }

        var variableNames: [String] { variables.map(\.name) }

        func expanded(with values: [String: any URITemplateVariable]) throws(Malformation) -> String {
            var items: [String] = []
            for variable in variables {
                guard let value = values[variable.name]?.uriTemplateValue, !value.isUndefined else { continue }
                items += try expand(variable, value)
            }
            return items.isEmpty ? "" : style.first + items.joined(separator: style.separator)
        }

        // MARK: Parsing

        private static func variable(_ text: Substring) throws(Malformation) -> Variable {
            if text.hasSuffix("*") { return Variable(name: try name(text.dropLast()), modifier: .explode) }
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return Variable(name: try name(text), modifier: .none) }
            guard let length = Int(parts[1]), (1..<10_000).contains(length), parts[1].first != "0",
                parts[1].first != "+"
            else { throw Malformation(part: String(text), reason: "a prefix is a number from 1 to 9999") }
            return Variable(name: try name(parts[0]), modifier: .prefix(length))
        }

        /// Checks the name of a variable (RFC 6570 §2.3): letters, digits, `_` and percent-encoded characters, with
        /// single dots between them.
        private static func name(_ text: Substring) throws(Malformation) -> String {
            let groups = text.split(separator: ".", omittingEmptySubsequences: false)
            let isName = groups.allSatisfy { group in
                var rest = group.utf8[...]
                while let byte = rest.first {
                    if byte == UInt8(ascii: "%") {
                        guard rest.count >= 3, rest.dropFirst().prefix(2).allSatisfy(\.isHexadecimalDigit) else {
                            return false
                        }
                        rest = rest.dropFirst(3)
                    } else {
                        guard byte.isASCIIAlphanumeric || byte == UInt8(ascii: "_") else { return false }
                        rest = rest.dropFirst()
                    }
                }
                return !group.isEmpty
            }
            guard isName else { throw Malformation(part: String(text), reason: "this is not the name of a variable") }
            return String(text)
        }

        // MARK: Expanding

        private func expand(_ variable: Variable, _ value: URITemplateValue) throws(Malformation) -> [String] {
            switch (value, variable.modifier) {
            case (.text(let text), .prefix(let length)):
                return [named(variable.name, escaped(prefix(of: text, length)))]
            case (.text(let text), _):
                return [named(variable.name, escaped(text))]
            case (_, .prefix):
                throw Malformation(part: variable.name, reason: "only text can be cut off after some characters")
            case (.list(let values), .explode):
                return values.map { style.isNamed ? named(variable.name, escaped($0)) : escaped($0) }
            case (.list(let values), .none):
                return [named(variable.name, values.map(escaped).joined(separator: ","))]
            case (.pairs(let pairs), .explode):
                return pairs.map { name, value in
                    style.isNamed ? named(escaped(name), escaped(value)) : "\(escaped(name))=\(escaped(value))"
                }
            case (.pairs(let pairs), .none):
                return [
                    named(
                        variable.name,
                        pairs.flatMap { [escaped($0.name), escaped($0.value)] }.joined(separator: ","))
                ]
            }
        }

        /// Returns the first `length` characters of a value. If the operator keeps percent-encoded text, all triplets
        /// of one character count as one character (RFC 6570 §2.4.1).
        private func prefix(of text: String, _ length: Int) -> String {
            style.allowsReserved
                ? PercentEncoding.encodedPrefix(of: text, length) : String(text.unicodeScalars.prefix(length))
        }

        private func named(_ name: String, _ value: String) -> String {
            guard style.isNamed else { return value }
            return value.isEmpty ? name + style.ifEmpty : "\(name)=\(value)"
        }

        private func escaped(_ text: String) -> String {
            PercentEncoding.escapeTemplate(text[...], allowingReserved: style.allowsReserved)
        }
    }

    /// The syntax for the variables of an expression, chosen by its operator (RFC 6570, appendix A).
    enum Style: Character, Sendable {
        case simple = " "
        case reserved = "+"
        case fragment = "#"
        case label = "."
        case path = "/"
        case pathParameter = ";"
        case query = "?"
        case queryContinuation = "&"

        init?(_ sign: Character) {
            guard sign != Self.simple.rawValue else { return nil }
            self.init(rawValue: sign)
        }

        var first: String {
            switch self {
            case .simple, .reserved: ""
            default: String(rawValue)
            }
        }

        var separator: String {
            switch self {
            case .simple, .reserved, .fragment: ","
            case .query, .queryContinuation: "&"
            default: String(rawValue)
            }
        }

        var isNamed: Bool { self == .pathParameter || self == .query || self == .queryContinuation }
        var ifEmpty: String { self == .pathParameter ? "" : "=" }
        var allowsReserved: Bool { self == .reserved || self == .fragment }
    }
}
