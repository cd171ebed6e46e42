import Foundation

@testable import Siesta

/// One request that a ``LoopbackServer`` has received, and the means to answer it byte by byte.
///
/// A script may send nothing, half an answer or several; when it returns, the connection waits for the next request
/// unless it was closed. Use it on the script's thread only.
struct Exchange: Sendable {
    /// The request, with its whole body.
    let request: ReceivedRequest

    let connection: Socket
    let serverStopped: Gate

    /// Sends bytes as they are. Throws if the client is gone, which ends a script that does not mind.
    func send(_ bytes: Data) throws {
        try connection.send(bytes)
    }

    /// Sends text as UTF-8, as it is: line ends are yours to write.
    func send(_ text: String) throws {
        try send(Data(text.utf8))
    }

    /// Sends a complete response with its length.
    func respond(_ status: Int = 200, headers: [String] = [], body: Data = Data()) throws {
        let lines = ["HTTP/1.1 \(status) Scripted"] + headers + ["Content-Length: \(body.count)", "", ""]
        try send(Data(lines.joined(separator: "\r\n").utf8) + body)
    }

    /// Sends a complete response with a body of text.
    func respond(_ status: Int = 200, headers: [String] = [], text: String) throws {
        try respond(status, headers: headers, body: Data(text.utf8))
    }

    /// Blocks until the gate is open. Throws if the server is stopped before.
    func wait(for gate: Gate) throws {
        gate.block(orUntil: serverStopped)
        if !gate.isOpen { throw CancellationError() }
    }

    /// Blocks until the client has closed the connection, or the server is stopped.
    func waitForDisconnect() {
        while !connection.receive().isEmpty {}
    }

    /// Closes the connection in an orderly way: the client reads the end of the stream.
    func close() {
        connection.close()
    }

    /// Closes the connection with a reset: the client's system may throw away what it has not read yet.
    func reset() {
        connection.reset()
    }
}
