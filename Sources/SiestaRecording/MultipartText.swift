import Foundation
import HTTPRules

/// The boundary and the parts of a multipart body (RFC 2046 §5.1). Pure.
enum MultipartText {
    /// Returns the boundary that a content type names; nil if it is not multipart.
    static func boundary(in contentType: String) -> String? {
        guard MediaType.essence(of: contentType).hasPrefix("multipart/"),
            let boundary = MediaType.parameter("boundary", of: contentType), !boundary.isEmpty
        else { return nil }
        return boundary
    }

    /// Returns the body with another boundary.
    static func renaming(_ old: String, to new: String, in body: Data) -> Data {
        var result = Data()
        var rest = body
        while let range = rest.range(of: Data("--\(old)".utf8)) {
            result += rest[..<range.lowerBound] + Data("--\(new)".utf8)
            rest = rest[range.upperBound...]
        }
        return result + rest
    }

    /// Returns the body with the content of each part as `change` returns it. `change` receives the names of the part:
    /// not only `Content-Disposition`, which names the form field, may contain a name. If ``StreamSafety`` does not
    /// allow the head of the part, it counts as a name.
    static func mappingParts(
        of body: [UInt8], boundary: String, _ change: (_ names: [String], _ content: [UInt8]) -> [UInt8]
    ) -> [UInt8] {
        let delimiter = Data("--\(boundary)".utf8)
        let data = Data(body)
        var result: [UInt8] = []
        var start = data.startIndex
        while let next = data.range(of: delimiter, in: start..<data.endIndex) {
            result += part(data[start..<next.lowerBound], change)
            result += delimiter
            start = next.upperBound
        }
        return result + part(data[start...], change)
    }

    /// Returns the part, which is surrounded by line breaks. A line may end with LF alone.
    private static func part(_ part: Data, _ change: ([String], [UInt8]) -> [UInt8]) -> [UInt8] {
        let ends = ["\n\r\n", "\n\n"].compactMap { part.range(of: Data($0.utf8)) }
        guard let headEnd = ends.min(by: { $0.lowerBound < $1.lowerBound }) else { return Array(part) }
        let head = String(decoding: part[..<headEnd.lowerBound], as: UTF8.self)
        let content = part[headEnd.upperBound...]
        let lineEnd = ["\r\n", "\n"].first { content.suffix($0.utf8.count).elementsEqual($0.utf8) } ?? ""
        let names =
            StreamSafety.allows(head)
            ? head.split(whereSeparator: \.isNewline).compactMap { MediaType.parameter("name", of: ";\($0)") } : [head]
        return Array(part[..<headEnd.upperBound]) + change(names, Array(content.dropLast(lineEnd.utf8.count)))
            + Array(lineEnd.utf8)
    }
}
