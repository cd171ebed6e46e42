package import Foundation

/// One request as a server has received it.
package struct ReceivedRequest: Sendable {
    /// The method, unchanged.
    package let method: String

    /// The request target: path and query.
    package let target: String

    /// The version, unchanged: `HTTP/1.1`.
    package let version: String

    /// The header fields in the order of arrival, with unchanged names.
    package let headers: [(name: String, value: String)]

    /// The body without transfer coding.
    package internal(set) var body = Data()

    /// All bytes that were received for the request, from the first byte of its head to the last byte of its body.
    package internal(set) var bytes: Data

    /// Parses the request line and the header fields, without the empty line at the end. Returns nil if they are not
    /// HTTP.
    init?(head: Data) {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let start = lines[0].split(separator: " ")
        guard start.count == 3, start[2].hasPrefix("HTTP/") else { return nil }
        method = String(start[0])
        target = String(start[1])
        version = String(start[2])
        headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
        bytes = head
    }

    /// Returns the value of the first field of this name, in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Returns the values of all fields of this name, in any case, in the order of arrival.
    package func headers(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}
