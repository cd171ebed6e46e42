import Foundation

/// One answer as a client reads it.
struct Reply {
    let status: Int
    let headers: [String: String]
    let body: Data

    /// How many bytes it took.
    let length: Int

    /// Nil while bytes are missing; a header name is in lower case.
    init?(_ bytes: [UInt8], isHead: Bool) {
        guard let end = Data(bytes).range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard lines[0].hasPrefix("HTTP/1.1 "), let status = Int(lines[0].dropFirst(9).prefix(3)) else { return nil }
        let fields = lines.dropFirst().map { $0.components(separatedBy: ": ") }
        headers = Dictionary(fields.map { ($0[0].lowercased(), $0.dropFirst().joined(separator: ": ")) }) {
            $0 + ", " + $1
        }
        self.status = status
        let size = isHead ? 0 : headers["content-length"].flatMap { Int($0) } ?? 0
        guard bytes.count >= end.upperBound + size else { return nil }
        length = end.upperBound + size
        body = Data(bytes[end.upperBound..<length])
    }

    /// The content as a JSON object, empty if it is none.
    var object: [String: Any] { json as? [String: Any] ?? [:] }

    /// The content as a list of JSON objects, empty if it is none.
    var list: [[String: Any]] { json as? [[String: Any]] ?? [] }

    /// The message of an error.
    var message: String? { object["message"] as? String }

    /// The target of a link, without the address of the server.
    func link(_ relation: String, of server: URL) -> String? {
        let links = headers["link"]?.components(separatedBy: ", ") ?? []
        let link = links.first { $0.hasSuffix("rel=\"\(relation)\"") }
        let address = link?.dropFirst().prefix { $0 != ">" }
        guard let address, address.hasPrefix(server.absoluteString) else { return nil }
        return "/" + address.dropFirst(server.absoluteString.count)
    }

    private var json: Any? { try? JSONSerialization.jsonObject(with: body) }
}
