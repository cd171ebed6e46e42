/// Prepares URLs for logs, descriptions and errors. Pure; takes time proportional to the text.
///
/// Scheme, host, port, path and the names of parameters stay. User info, the fragment and the values of parameters go,
/// except the values of parameters that are known to be harmless. The text need not be a valid URL: it may be relative,
/// a template, or what a user typed.
///
///     URLText()("https://ada:pw@api.test/users?page=2&token=s3cret#top")  // https://api.test/users?page=2&token=…#…
package struct URLText: Sendable {
    /// Stands for a part that was removed.
    package static let mark = "…"

    /// The names, in lower case, of parameters whose values are shown unless an app says otherwise.
    package static let harmlessParameters: Set<String> = [
        "page", "per_page", "perpage", "page_size", "pagesize", "limit", "offset", "count", "size", "sort", "sort_by",
        "order", "order_by", "direction", "lang", "language", "locale", "format", "version", "api-version", "v",
    ]

    /// Values longer than this are removed even if their parameter is harmless, in bytes.
    private static let longestValue = 32

    private let shownParameters: Set<String>

    /// Creates the function; `shownParameters` are names in lower case.
    package init(shownParameters: Set<String> = harmlessParameters) {
        self.shownParameters = shownParameters
    }

    /// The URL as it may be shown. A prepared URL stays as it is.
    package func callAsFunction(_ url: String) -> String {
        var result: [UInt8] = []
        append(Array(url.utf8)[...], to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    /// The text with every URL in it prepared. Words that look like a part of a URL count as one.
    package func preparingAll(in text: String) -> String {
        guard text.utf8.contains(where: Self.isHint) else { return text }
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let word = rest.prefix { !Self.isDelimiter($0) }
            append(word: word, to: &result)
            rest = rest[word.endIndex...]
            let space = rest.prefix(while: Self.isDelimiter)
            result += space
            rest = rest[space.endIndex...]
        }
        return String(decoding: result, as: UTF8.self)
    }

    // MARK: Words of a text

    private static func isHint(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "@")
    }

    /// Whether the byte cannot occur in a URL (RFC 3986 §2).
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || "\"<>\\^`{|}".utf8.contains(byte)
    }

    private func append(word: Bytes, to result: inout [UInt8]) {
        guard Self.mayBeURL(word) else { return result += word }
        let end = word.lastIndex { !"),.;:!?]'".utf8.contains($0) } ?? word.startIndex
        append(word[...end], to: &result)
        result += word[(end + 1)...]
    }

    private static func mayBeURL(_ word: Bytes) -> Bool {
        if word.firstScheme(from: word.startIndex) != nil { return true }
        if let start = word.firstIndex(where: isEndOfPath), word[start...].contains(UInt8(ascii: "=")) { return true }
        guard let at = word.lastIndex(of: UInt8(ascii: "@")) else { return false }
        return word[..<at].contains(UInt8(ascii: ":"))
    }

    // MARK: Parts of a URL

    fileprivate static func isEndOfPath(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private func append(_ url: Bytes, to result: inout [UInt8]) {
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

    /// Paths stay, apart from the values of their parameters (RFC 3986 §3.3), such as `;jsessionid=…`.
    private func append(path: Bytes, to result: inout [UInt8]) {
        for (index, segment) in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).enumerated()
        {
            if index > 0 { result.append(UInt8(ascii: "/")) }
            let start = Self.parameters(of: segment)
            result += segment[..<start]
            append(parameters: segment[start...], to: &result)
        }
    }

    /// Where the parameters of a segment begin: after a semicolon, or after a question mark that was escaped by mistake.
    private static func parameters(of segment: Bytes) -> Int {
        for index in segment.indices {
            if segment[index] == UInt8(ascii: ";") { return index + 1 }
            let escaped = segment[index...].prefix(3)
            if escaped.elementsEqual("%3F".utf8) || escaped.elementsEqual("%3f".utf8) { return index + 3 }
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

    /// A parameter without a value may be a secret without a name, padded with `=` if it is Base64.
    private func append(parameter: Bytes, to result: inout [UInt8]) {
        let name = parameter.prefix { $0 != UInt8(ascii: "=") }
        let value = parameter[name.endIndex...].drop { $0 == UInt8(ascii: "=") }
        if value.count <= Self.longestValue,
            shownParameters.contains(String(decoding: name, as: UTF8.self).lowercased())
        {
            result += parameter
        } else if value.isEmpty {
            result += Self.marked(parameter)
        } else {
            result += parameter[..<value.startIndex]
            result += Self.marked(value)
        }
    }

    /// The mark in place of a secret. Nothing stays as it is, and so does a mark, with the text that follows it after
    /// punctuation.
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
        let lastAt = url.lastIndex(of: UInt8(ascii: "@"))
        guard let lastAt else { return Array(url) }
        var result: [UInt8] = []
        var start = url.startIndex
        var hasAuthority = false
        if url.starts(with: "//".utf8) {
            result += "//".utf8
            start = endOfUserInfo(in: url, from: start + 2, lastAt)
            hasAuthority = true
        }
        var locationEnd = url.endOfLocation(from: start)
        while let scheme = url.firstScheme(from: start), scheme.upperBound <= locationEnd {
            result += withoutPasswords(url[start..<scheme.lowerBound], hasAuthority: hasAuthority)
            result += url[scheme]
            start = endOfUserInfo(in: url, from: scheme.upperBound, lastAt)
            if start > locationEnd { locationEnd = url.endOfLocation(from: start) }
            hasAuthority = true
        }
        return result + withoutPasswords(url[start...], hasAuthority: hasAuthority)
    }

    /// Where the host begins. A password that is not escaped may have a slash or a question mark in it: what follows
    /// the colon is no port then.
    private static func endOfUserInfo(in url: Bytes, from start: Int, _ lastAt: Int) -> Int {
        var start = start
        let authority = url[start...].prefix { $0 != UInt8(ascii: "/") && !URLText.isEndOfPath($0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { start = at + 1 }
        let host = authority[start...]
        let port = host[(host.lastIndex(of: UInt8(ascii: "]")) ?? host.startIndex)...].drop { $0 != UInt8(ascii: ":") }
        let isPort = port.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isPort || lastAt < start ? start : lastAt + 1
    }

    /// Removes `name:password@` from segments of a path; in a URL without an authority, also `name@` at its beginning.
    private static func withoutPasswords(_ url: Bytes, hasAuthority: Bool) -> [UInt8] {
        let end = url.endOfLocation(from: url.startIndex)
        var result: [UInt8] = []
        let segments = url[..<end].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            if index > 0 { result.append(UInt8(ascii: "/")) }
            if let at = segment.lastIndex(of: UInt8(ascii: "@")),
                segment[..<at].contains(UInt8(ascii: ":")) || index == 0 && !hasAuthority
            {
                result += segment[(at + 1)...]
            } else {
                result += segment
            }
        }
        return result + url[end...]
    }
}

extension Bytes {
    /// Where `://` stands, which ends a scheme.
    fileprivate func firstScheme(from start: Int) -> Range<Int>? {
        var rest = self[start...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            if self[(colon + 1)...].starts(with: "//".utf8) { return colon..<(colon + 3) }
            rest = self[(colon + 1)...]
        }
        return nil
    }

    fileprivate func endOfLocation(from start: Int) -> Int {
        self[start...].firstIndex(where: URLText.isEndOfPath) ?? endIndex
    }
}

extension UInt8 {
    fileprivate var isASCIIAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
