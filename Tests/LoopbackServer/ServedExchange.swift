package import Foundation

/// One request that a ``LoopbackServer`` has received, and functions to respond to it byte by byte.
///
/// A script may send nothing, a part of a response, or several responses. When it returns, the connection waits for the
/// next request unless it was closed. Use an exchange only on the script's thread.
package struct ServedExchange {
    /// The request, with its whole body.
    package let request: ReceivedRequest

    /// The number of earlier requests on this connection. A script can use it to close the connection after some
    /// requests.
    package let previousRequests: Int

    /// The connection on which the request arrived.
    package let connection: Connection

    /// Sends bytes unchanged. Throws if the client has closed the connection; a script that does not catch the error
    /// ends.
    package func send(_ bytes: Data) throws {
        try connection.send(bytes)
    }

    /// Sends text as UTF-8, unchanged. The text must contain the line ends.
    package func send(_ text: String) throws {
        try connection.send(text)
    }

    /// Sends a complete response with its length.
    package func respond(_ status: Int = 200, headers: [String] = [], body: Data = Data()) throws {
        let lines = ["HTTP/1.1 \(status) Scripted"] + headers + ["Content-Length: \(body.count)", "", ""]
        try send(Data(lines.joined(separator: "\r\n").utf8) + body)
    }

    /// Sends a complete response with a body of text.
    package func respond(_ status: Int = 200, headers: [String] = [], text: String) throws {
        try respond(status, headers: headers, body: Data(text.utf8))
    }

    /// Blocks until the gate is open. Throws if the server is stopped before.
    package func wait(for gate: Gate) throws {
        try connection.wait(for: gate)
    }

    /// Blocks until the client has closed the connection, or the server is stopped.
    package func waitForDisconnect() {
        connection.waitForDisconnect()
    }

    /// Closes the connection in an orderly way: the client reads the end of the stream.
    package func close() {
        connection.close()
    }

    /// Closes the connection with a reset: the client's system may throw away what it has not read yet.
    package func reset() {
        connection.reset()
    }
}
