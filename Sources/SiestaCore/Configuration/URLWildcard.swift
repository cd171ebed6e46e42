import HTTPRules

/// A URL pattern with `*`, `**` and `?`, compiled once. Matching takes time proportional to the length of the pattern
/// times the length of the URL. Pure.
struct URLWildcard: Sendable {
    private enum Token {
        case literal([UInt8])
        /// One character except `/`.
        case character
        /// Any number of characters except `/`.
        case segment
        /// Any number of characters.
        case anything
        /// An empty text, or any number of characters that end with `/`.
        case folders
    }

    /// The literal text at the start of the pattern. A comparison with this text excludes most URLs at once.
    private let prefix: [UInt8]
    /// The tokens after the prefix.
    private let tokens: [Token]

    /// Compiles `pattern`. A pattern without a scheme is relative to `base`, whose query and fragment are ignored.
    init(_ pattern: String, relativeTo base: String?) {
        let isAbsolute = base == nil || Self.hasScheme(pattern)
        let path = isAbsolute || !pattern.hasPrefix("/") ? pattern[...] : pattern.dropFirst()
        let escaped = PercentEncoding.escapePattern(path, isAbsolute: isAbsolute)
        let start = isAbsolute ? [] : Array((base ?? "").utf8.prefix { !"?#".utf8.contains($0) })
        var tokens = Self.tokens(of: Array(escaped.utf8), prefix: start)
        if case .literal(let literal) = tokens.first {
            prefix = literal
            tokens.removeFirst()
        } else {
            prefix = []
        }
        self.tokens = tokens
    }

    /// Returns true if the pattern matches all of `url` except its query and fragment.
    func matches(_ url: String) -> Bool {
        url.withUTF8Bytes { matches($0) }
    }

    /// Returns the same for a URL as UTF-8.
    func matches(_ url: UnsafeRawBufferPointer) -> Bool {
        guard url.starts(withBytes: prefix) else { return false }
        let end = url.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? url.count
        return end >= prefix.count && matches(rest: UnsafeRawBufferPointer(rebasing: url[prefix.count..<end]))
    }

    /// Applies the tokens one by one. `reached[i]` is true if the tokens so far match the first `i` characters.
    private func matches(rest text: UnsafeRawBufferPointer) -> Bool {
        guard !tokens.isEmpty else { return text.isEmpty }
        return withUnsafeTemporaryAllocation(of: Bool.self, capacity: text.count + 1) { reached in
            reached.initialize(repeating: false)
            reached[0] = true
            for token in tokens { Self.apply(token, to: reached, text) }
            return reached[text.count]
        }
    }

    private static func apply(
        _ token: Token, to reached: UnsafeMutableBufferPointer<Bool>, _ text: UnsafeRawBufferPointer
    ) {
        switch token {
        case .literal(let bytes):
            advance(reached, by: bytes.count) { start in
                UnsafeRawBufferPointer(rebasing: text[start...]).starts(withBytes: bytes)
            }
        case .character: advance(reached, by: 1) { text[$0] != slash }
        case .segment: spread(reached) { text[$0] != slash }
        case .anything: spread(reached) { _ in true }
        case .folders:
            var isInside = false
            for index in text.indices {
                isInside = isInside || reached[index]
                if isInside, text[index] == slash { reached[index + 1] = true }
            }
        }
    }

    /// Moves every reached position forward by `count` characters if these characters are accepted. Otherwise, the
    /// position is no longer reached.
    private static func advance(
        _ reached: UnsafeMutableBufferPointer<Bool>, by count: Int, ifAccepted isAccepted: (Int) -> Bool
    ) {
        for end in reached.indices.reversed() {
            reached[end] = end >= count && reached[end - count] && isAccepted(end - count)
        }
    }

    /// Extends every reached position over any number of accepted characters.
    private static func spread(_ reached: UnsafeMutableBufferPointer<Bool>, over isAccepted: (Int) -> Bool) {
        for end in reached.indices.dropFirst() where reached[end - 1] && isAccepted(end - 1) {
            reached[end] = true
        }
    }

    private static func tokens(of pattern: [UInt8], prefix: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var literal = prefix
        var rest = pattern[...]
        while let byte = rest.first {
            guard let (token, length) = wildcard(at: rest) else {
                literal.append(byte)
                rest.removeFirst()
                continue
            }
            if !literal.isEmpty { tokens.append(.literal(literal)) }
            literal = []
            tokens.append(token)
            rest.removeFirst(length)
        }
        return literal.isEmpty ? tokens : tokens + [.literal(literal)]
    }

    private static func wildcard(at rest: ArraySlice<UInt8>) -> (Token, length: Int)? {
        if rest.starts(with: [star, star, slash]) { return (.folders, 3) }
        if rest.starts(with: [star, star]) { return (.anything, 2) }
        if rest.first == star { return (.segment, 1) }
        return rest.first == UInt8(ascii: "?") ? (.character, 1) : nil
    }

    /// Returns true if `pattern` begins with a scheme (RFC 3986 §3.1).
    private static func hasScheme(_ pattern: String) -> Bool {
        guard let colon = pattern.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = pattern[..<colon]
        return scheme.first.map { $0.isASCII && $0.isLetter } ?? false
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }
}

private let star = UInt8(ascii: "*")
private let slash = UInt8(ascii: "/")
