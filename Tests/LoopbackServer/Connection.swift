package import Foundation
import Waiting

/// A connection that a ``LoopbackServer`` has accepted, with access to every byte.
///
/// Use it only on the script's thread.
package final class Connection {
    /// The connection's number among those of the server, from 0.
    package let number: Int

    private let socket: Socket
    private let stopped: Gate
    private var reader: RequestReader

    init(_ socket: Socket, number: Int, stopped: Gate) {
        self.socket = socket
        self.number = number
        self.stopped = stopped
        reader = RequestReader(socket)
    }

    /// Waits for a request and its whole body. Returns nil if the connection ended, or the received bytes are not HTTP.
    package func request() throws -> ReceivedRequest? {
        guard var request = head(), try readBody(of: &request) else { return nil }
        return request
    }

    /// Waits for the head of a request, and leaves its body unread.
    package func head() -> ReceivedRequest? {
        reader.head()
    }

    /// Waits for the whole body of a request and stores it in the request. Returns false if the connection ended
    /// before.
    package func readBody(of request: inout ReceivedRequest) throws -> Bool {
        try reader.readBody(of: &request)
    }

    /// Waits for any bytes. Returns no bytes if the connection has ended.
    package func receive() -> Data {
        reader.someBytes()
    }

    /// Sends bytes unchanged. Throws if the client has closed the connection; a script that does not catch the error
    /// ends.
    package func send(_ bytes: Data) throws {
        try socket.send(bytes)
    }

    /// Sends text as UTF-8, unchanged. The text must contain the line ends.
    package func send(_ text: String) throws {
        try send(Data(text.utf8))
    }

    /// Blocks until the gate is open. Throws if the server is stopped before.
    package func wait(for gate: Gate) throws {
        gate.block(orUntil: stopped)
        if !gate.isOpen { throw CancellationError() }
    }

    /// Blocks for an interval, for tests in which the pace of the server decides. Throws if the server is stopped
    /// before. To make a server wait for an event, use a gate.
    package func pause(_ interval: Duration) throws {
        let isOver = Gate()
        Moment.after(interval) { isOver.open() }
        try wait(for: isOver)
    }

    /// Blocks until the server is stopped, with the connection open. The client never gets a response.
    package func waitForStop() {
        stopped.block(orUntil: stopped)
    }

    /// Blocks until the client has closed the connection, or the server is stopped.
    package func waitForDisconnect() {
        while !receive().isEmpty {}
    }

    /// Ends the sending direction: the client reads the end of the stream, and can still send.
    package func finishSending() {
        socket.finishSending()
    }

    /// Closes the connection in an orderly way: the client reads the end of the stream.
    package func close() {
        socket.close()
    }

    /// Closes the connection with a reset: the client's system may discard bytes that the client has not read yet.
    package func reset() {
        socket.reset()
    }
}
