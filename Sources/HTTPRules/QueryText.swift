/// Changes of the query of a URL, as text (RFC 3986 §3.4). Pure; takes time proportional to the length of the text.
package enum QueryText {
    /// Returns the URL with one query item of this name, at the end of the query.
    ///
    /// Removes all other items whose name is the same after decoding. Does not change the other items and the fragment.
    package static func setting(_ name: String, to value: String, in url: String) -> String {
        let utf8 = url.utf8
        let queryEnd = utf8.firstIndex(of: UInt8(ascii: "#")) ?? utf8.endIndex
        let pathEnd = utf8[..<queryEnd].firstIndex(of: UInt8(ascii: "?")) ?? queryEnd
        let start = pathEnd < queryEnd ? utf8.index(after: pathEnd) : queryEnd
        let kept = url[start..<queryEnd].split(separator: "&", omittingEmptySubsequences: true).filter { item in
            decoded(item.utf8.prefix { $0 != UInt8(ascii: "=") }) != Array(name.utf8)
        }
        let item = "\(PercentEncoding.escapeQueryItem(name))=\(PercentEncoding.escapeQueryItem(value))"
        return url[..<pathEnd] + "?" + (kept + [item[...]]).joined(separator: "&") + url[queryEnd...]
    }

    /// Returns the items of a query, decoded, in their order. An item without `=` has an empty value.
    ///
    /// Bytes that are not UTF-8 become U+FFFD.
    package static func items(of query: String) -> [(name: String, value: String)] {
        query.utf8.split(separator: UInt8(ascii: "&")).map { item in
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            let value = item[name.endIndex...].dropFirst()
            return (String(decoding: decoded(name), as: UTF8.self), String(decoding: decoded(value), as: UTF8.self))
        }
    }

    /// Returns the bytes that a part of a query represents. A plus sign represents a space, as in forms.
    private static func decoded(_ text: Substring.UTF8View) -> [UInt8] {
        var result: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(\.isHexadecimalDigit),
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                result.append(code)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return result
    }
}
