import Foundation
import LoopbackServer

/// A client of the inspector's server that sends any bytes.
///
/// It reads on threads of its own: a blocked thread of a pool would also block the tasks that answer the request.
struct RawClient {
    let socket: Socket

    init(port: UInt16) throws { socket = try Socket.connected(to: .ipv4(port: port)) }

    /// Sends bytes, unless the server has closed the connection.
    func send(_ text: String) { try? socket.send(Data(text.utf8)) }

    /// Reads until the end of the stream.
    func readAll() async -> String { await read { _ in false } }

    /// Reads until the text contains `mark`, or until the end of the stream.
    func read(until mark: String) async -> String {
        await read { String(decoding: $0, as: UTF8.self).contains(mark) }
    }

    private func read(until isComplete: @escaping @Sendable (Data) -> Bool) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [socket] in
                var data = Data()
                while case let piece = socket.receive(), !piece.isEmpty {
                    data += piece
                    if isComplete(data) { break }
                }
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }

    /// Sends a request, and returns the response.
    static func exchange(port: UInt16, _ text: String) async throws -> String {
        let client = try RawClient(port: port)
        client.send(text)
        return await client.readAll()
    }

    /// Sends a GET request with these fields, and returns the response.
    static func get(port: UInt16, _ path: String, _ fields: String...) async throws -> String {
        let lines = ["GET \(path) HTTP/1.1"] + (fields.isEmpty ? ["Host: 127.0.0.1:\(port)"] : fields)
        return try await exchange(port: port, lines.joined(separator: "\r\n") + "\r\n\r\n")
    }
}
