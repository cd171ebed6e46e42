import Foundation

/// One request as a server got it, byte for byte where it matters.
struct ReceivedRequest: Sendable {
    /// The method, as sent.
    let method: String

    /// The request target: path and query.
    let target: String

    /// The header fields in the order of arrival, names as sent.
    let headers: [(name: String, value: String)]

    /// The body without transfer coding.
    var body = Data()

    /// Parses request line and header fields, without the empty line at the end; nil if they are not HTTP.
    init?(head: Data) {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let start = lines[0].split(separator: " ")
        guard start.count == 3, start[2].hasPrefix("HTTP/") else { return nil }
        method = String(start[0])
        target = String(start[1])
        headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
    }

    /// The value of the first field of this name, in any case.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
