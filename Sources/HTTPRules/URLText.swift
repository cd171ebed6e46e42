/// Prepares URLs for logs, descriptions and errors. Pure; takes time proportional to the length of the text.
///
/// It keeps scheme, host, port, path and the names of parameters. It removes user info, the fragment and the values of
/// parameters, except the values of parameters that are known to be harmless. The text need not be a valid URL: it may
/// be relative, a template, or user input.
///
/// For example, `https://ada:pw@api.test/users?page=2&token=s3cret#top` becomes
/// `https://api.test/users?page=2&token=…#…`.
package struct URLText: Sendable {
    /// The text that replaces a removed part.
    package static let mark = "…"

    /// The default names, in lower case, of parameters whose values are shown.
    package static let harmlessParameters: Set<String> = [
        "page", "per_page", "perpage", "page_size", "pagesize", "limit", "offset", "count", "size", "sort", "sort_by",
        "order", "order_by", "direction", "lang", "language", "locale", "format", "version", "api-version", "v",
    ]

    /// The maximum length of a shown value, in bytes. Longer values are removed even if their parameter is harmless.
    private static let valueLimit = 32

    private let shownParameters: Set<String>

    /// Creates a value that shows these parameters. The names in `shownParameters` must be in lower case.
    package init(shownParameters: Set<String> = harmlessParameters) {
        self.shownParameters = shownParameters
    }

    /// Returns the URL without its secrets. A prepared URL does not change.
    package func callAsFunction(_ url: String) -> String {
        var result: [UInt8] = []
        append(Array(url.utf8)[...], to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the text with all its URLs prepared. Words that look like a part of a URL count as URLs.
    package func preparingAll(in text: String) -> String {
        guard text.utf8.contains(where: { "/?#@".utf8.contains($0) }) else { return text }
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let word = Self.word(at: rest)
            append(word: word, to: &result)
            rest = rest[word.endIndex...]
            let space = rest.prefix(while: Self.isDelimiter)
            result += space
            rest = rest[space.endIndex...]
        }
        return String(decoding: result, as: UTF8.self)
    }

    // MARK: Words of a text

    /// Returns the word at the start of a text; empty if the text starts with a delimiter.
    ///
    /// Servers and people do not escape all characters that must be escaped. Therefore fewer characters end the query
    /// of a complete URL.
    private static func word(at text: Bytes) -> Bytes {
        let word = text.prefix { !isDelimiter($0) }
        guard word.endIndex < text.endIndex, word.contains(where: isEndOfPath),
            word.schemeSeparator != nil
        else { return word }
        return text.prefix { !isDelimiter($0) || "\\^`{|}".utf8.contains($0) }
    }

    /// Returns true if the byte cannot occur in a URL (RFC 3986 §2).
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || "\"<>\\^`{|}".utf8.contains(byte)
    }

    private func append(word: Bytes, to result: inout [UInt8]) {
        guard Self.mayBeURL(word) else { return result += word }
        let end = word.lastIndex { !"),.;:!?]'}`".utf8.contains($0) } ?? word.startIndex
        append(word[...end], to: &result)
        result += word[(end + 1)...]
    }

    private static func mayBeURL(_ word: Bytes) -> Bool {
        if word.schemeSeparator != nil || word.isDataURL { return true }
        if let start = word.firstIndex(where: isEndOfPath) {
            let rest = word[start...]
            if rest.contains(UInt8(ascii: "=")) { return true }
            if rest.count > 1, "/.?".utf8.contains(word[word.startIndex]) { return true }
        }
        let at = word.lastIndex(of: UInt8(ascii: "@")) ?? word.startIndex
        return hasPathParameter(word) || word[..<at].contains(UInt8(ascii: ":"))
    }

    /// Returns true if a word has a path with a parameter such as `;jsessionid=…`. A content type with a parameter does
    /// not count.
    private static func hasPathParameter(_ word: Bytes) -> Bool {
        guard let slash = word.firstIndex(of: UInt8(ascii: "/")) else { return false }
        let parts = word.split(separator: UInt8(ascii: ";"))
        return parts.dropFirst().contains { part in
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return false }
            return slash == word.startIndex || !isName(part[..<equals], in: mediaParameters)
        }
    }

    /// The parameters of content types (RFC 9110 §8.3.1 and §12.5.1) that are not secret.
    private static let mediaParameters: Set<String> = ["charset", "q", "version", "profile", "level"]

    /// Returns true if `names` contains the name, in lower case.
    private static func isName(_ name: Bytes, in names: Set<String>) -> Bool {
        StreamSafety.allows(utf8: name) && names.contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    // MARK: Parts of a URL

    fileprivate static func isEndOfPath(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private func append(_ url: Bytes, to result: inout [UInt8]) {
        if url.isDataURL {
            result += "data:".utf8
            return result += Self.marked(url.dropFirst("data:".utf8.count))
        }
        let url = UserInfo.removed(from: url)[...]
        let pathEnd = url.firstIndex(where: Self.isEndOfPath) ?? url.endIndex
        let queryEnd = url[pathEnd...].firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
        append(path: url[..<pathEnd], to: &result)
        if pathEnd < queryEnd {
            result.append(url[pathEnd])
            append(parameters: url[(pathEnd + 1)..<queryEnd], to: &result)
        }
        guard queryEnd < url.endIndex else { return }
        result.append(url[queryEnd])
        result += Self.marked(url[(queryEnd + 1)...])
    }

    /// Appends a path without the values of its parameters (RFC 3986 §3.3), such as `;jsessionid=…`.
    private func append(path: Bytes, to result: inout [UInt8]) {
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            if index > 0 { result.append(UInt8(ascii: "/")) }
            let start = Self.parameters(of: segment)
            result += segment[..<start]
            append(parameters: segment[start...], to: &result)
        }
    }

    /// Returns the index where the parameters of a segment begin: after a semicolon, or after a separator that was
    /// escaped by mistake, once or more. An ampersand begins parameters only if a value follows.
    private static func parameters(of segment: Bytes) -> Int {
        let equals = UInt8(ascii: "=")
        lazy var lastValue =
            segment.indices.last { segment[$0] == equals || segment.isEscape(at: $0, of: equals) } ?? -1
        for index in segment.indices where "%;&".utf8.contains(segment[index]) {
            guard let (separator, end) = segment[index...].separator else { continue }
            if ";?#".utf8.contains(separator) || separator == UInt8(ascii: "&") && end <= lastValue { return end }
        }
        return segment.endIndex
    }

    private func append(parameters: Bytes, to result: inout [UInt8]) {
        var rest = parameters
        while true {
            let parameter = rest.prefix { $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: ";") }
            append(parameter: parameter, to: &result)
            guard parameter.endIndex < rest.endIndex else { return }
            result.append(rest[parameter.endIndex])
            rest = rest[(parameter.endIndex + 1)...]
        }
    }

    /// Appends a parameter without its secrets. A parameter without a value may itself be a secret: its `=` may be the
    /// padding of Base64.
    private func append(parameter: Bytes, to result: inout [UInt8]) {
        let name = parameter.prefix { $0 != UInt8(ascii: "=") }
        let value = parameter[name.endIndex...].drop { $0 == UInt8(ascii: "=") }
        if value.count <= Self.valueLimit, value.startIndex - name.endIndex <= 1, value.isPlain,
            Self.isName(name, in: shownParameters)
        {
            result += parameter
        } else if value.isEmpty {
            result += Self.marked(parameter)
        } else {
            result += parameter[..<value.startIndex]
            result += Self.marked(value)
        }
    }

    /// Returns the mark in place of a secret. Does not change an empty text, or a mark that is followed by no text or
    /// by punctuation.
    private static func marked(_ secret: Bytes) -> [UInt8] {
        let isMarked =
            secret.starts(with: mark.utf8) && !(secret.dropFirst(mark.utf8.count).first?.isASCIIAlphanumeric ?? false)
        return secret.isEmpty || isMarked ? Array(secret) : Array(mark.utf8)
    }
}

private typealias Bytes = ArraySlice<UInt8>

/// Names and passwords in URLs (RFC 3986 §3.2.1).
private enum UserInfo {
    static func removed(from url: Bytes) -> [UInt8] {
        let lastAt = url.lastIndex(of: UInt8(ascii: "@")) ?? -1
        guard lastAt >= 0 || url.contains(UInt8(ascii: "%")) else { return Array(url) }
        var result: [UInt8] = []
        var start = url.startIndex
        var hasAuthority = false
        if url.starts(with: "//".utf8) {
            result += "//".utf8
            start = endOfUserInfo(in: url, from: start + 2, lastAt)
            hasAuthority = true
        }
        var locationEnd = url.endOfLocation(from: start)
        while let scheme = url[start...].schemeSeparator, scheme.upperBound <= locationEnd {
            result += withoutPasswords(url[start..<scheme.lowerBound], hasAuthority: hasAuthority)
            result += url[scheme]
            start = endOfUserInfo(in: url, from: scheme.upperBound, lastAt)
            if start > locationEnd { locationEnd = url.endOfLocation(from: start) }
            hasAuthority = true
        }
        return result + withoutPasswords(url[start...], hasAuthority: hasAuthority)
    }

    /// Returns the index where the host begins. A password that is not escaped may contain a slash or a question mark.
    /// Then the text after the colon is not a port.
    private static func endOfUserInfo(in url: Bytes, from start: Int, _ lastAt: Int) -> Int {
        let authority = url[start...].prefix { $0 != UInt8(ascii: "/") && !URLText.isEndOfPath($0) }
        let start = authority.endOfUserInfo ?? start
        let host = authority[start...]
        let port = host[(host.lastIndex(of: UInt8(ascii: "]")) ?? host.startIndex)...].drop { $0 != UInt8(ascii: ":") }
        let isPort = port.dropFirst().allSatisfy(\.isASCIIDigit)
        return isPort || lastAt < start ? start : lastAt + 1
    }

    /// Removes `name:password@` from path segments. In a URL without an authority, also removes an initial `name@`.
    private static func withoutPasswords(_ url: Bytes, hasAuthority: Bool) -> [UInt8] {
        let end = url.endOfLocation(from: url.startIndex)
        let segments = url[..<end].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let kept = segments.enumerated().map { index, segment in
            guard let at = segment.lastIndex(of: UInt8(ascii: "@")),
                segment[..<at].contains(UInt8(ascii: ":")) || index == 0 && !hasAuthority
            else { return segment }
            return segment[(at + 1)...]
        }
        return Array(kept.joined(separator: "/".utf8)) + url[end...]
    }
}

extension Bytes {
    /// True for a `data:` URL (RFC 2397), which contains its own content.
    fileprivate var isDataURL: Bool {
        prefix(5).map { $0 | 0x20 }.elementsEqual("data:".utf8) && contains(UInt8(ascii: ","))
    }

    /// True if the value of a parameter contains no character that could begin another parameter or a URL.
    fileprivate var isPlain: Bool {
        indices.allSatisfy { index in
            let byte = self[index]
            if byte == UInt8(ascii: "%") { return ", ".utf8.contains { isEscape(at: index, of: $0) } }
            return byte >= 0x80 || byte.isASCIIAlphanumeric || "-._~,+*:!$'() ".utf8.contains(byte)
        }
    }

    /// The character at the start, escaped or not, and the index after it.
    fileprivate var separator: (character: UInt8, end: Int)? {
        guard first == UInt8(ascii: "%") else { return first.map { ($0, startIndex + 1) } }
        var code = dropFirst()
        // Each further escape of a percent sign adds one `25`.
        while code.starts(with: "25".utf8) { code = code.dropFirst(2) }
        return code.hexadecimalCode.map { ($0, code.startIndex + 2) }
    }

    /// The byte that two hexadecimal digits at the start encode.
    fileprivate var hexadecimalCode: UInt8? {
        count < 2 ? nil : UInt8(String(decoding: prefix(2), as: UTF8.self), radix: 16)
    }

    /// The index after the user info of an authority. Its `@` may have been escaped by mistake. Nil without user info.
    fileprivate var endOfUserInfo: Int? {
        if let at = lastIndex(of: UInt8(ascii: "@")) { return at + 1 }
        return indices.last { isEscape(at: $0, of: UInt8(ascii: "@")) }.map { $0 + 3 }
    }

    fileprivate func isEscape(at index: Int, of character: UInt8) -> Bool {
        self[index] == UInt8(ascii: "%") && self[(index + 1)...].hexadecimalCode == character
    }

    fileprivate func endOfLocation(from start: Int) -> Int {
        self[start...].firstIndex(where: URLText.isEndOfPath) ?? endIndex
    }
}
