import Foundation

/// The state of one connection to the inspector: the bytes that arrive become a request, and the bytes of the response
/// wait until the client reads them. Pure: it makes no system call, and receives the time. Times are monotonic seconds.
struct ClientConnection: Sendable {
    /// The consequence of received bytes.
    enum Step {
        case wait
        case request(HTTPRequest)
        case refuse(status: Int)
    }

    private enum Phase {
        case head(scanned: Int)
        case body(HTTPRequestHead)
        /// The request is complete, and its response is not known yet.
        case answering
        case replying
        case streaming
        /// The response is sent. The server reads until the client has read it, too.
        case draining
    }

    private let limits: ServerLimits
    private var phase = Phase.head(scanned: 0)
    private var input: [UInt8] = []
    private var output: [ArraySlice<UInt8>] = []
    private(set) var outputCount = 0
    /// The time at which the connection is closed if nothing changes; infinite while the server itself is working.
    private(set) var deadline: TimeInterval
    /// True if a request with the token has arrived. Other connections give way if there are too many.
    var isTrusted = false

    init(_ limits: ServerLimits, at now: TimeInterval) {
        self.limits = limits
        deadline = now + limits.patience
    }

    var isStreaming: Bool { if case .streaming = phase { true } else { false } }
    /// True if a request is complete, and its response is not sent completely.
    var isAwaitingReply: Bool {
        switch phase {
        case .answering, .replying: true
        case .head, .body, .streaming, .draining: false
        }
    }
    /// True if the response is sent completely, and the connection must change to draining.
    var hasReplied: Bool { if case .replying = phase { output.isEmpty } else { false } }

    /// Takes bytes that the client has sent.
    mutating func receive(_ bytes: ArraySlice<UInt8>) -> Step {
        switch phase {
        case .head(let scanned):
            input += bytes
            return parseHead(from: scanned)
        case .body(let head):
            input += bytes
            return parseBody(of: head)
        case .answering, .replying, .streaming, .draining: return .wait  // There is one request for each connection.
        }
    }

    private mutating func parseHead(from scanned: Int) -> Step {
        guard let end = Self.emptyLine(in: input, from: max(0, scanned - 3)) else {
            phase = .head(scanned: input.count)
            return input.count > limits.headBytes ? .refuse(status: 431) : .wait
        }
        guard end <= limits.headBytes else { return .refuse(status: 431) }
        do throws(HTTPRequestHead.Malformation) {
            let head = try HTTPRequestHead(input[..<end], bodyLimit: limits.bodyBytes)
            input.removeFirst(end + 4)
            return parseBody(of: head)
        } catch {
            return .refuse(status: error.rawValue)
        }
    }

    private mutating func parseBody(of head: HTTPRequestHead) -> Step {
        guard input.count >= head.bodyLength else {
            phase = .body(head)
            return .wait
        }
        let body = Array(input.prefix(head.bodyLength))
        input = []
        phase = .answering
        deadline = .infinity
        return .request(HTTPRequest(head: head, body: body))
    }

    private static func emptyLine(in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= 4 else { return nil }
        var index = start
        while index + 3 < bytes.count {
            if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D, bytes[index + 3] == 0x0A {
                return index
            }
            index += 1
        }
        return nil
    }

    /// Sends a response, and ends the stream after it.
    mutating func reply(_ reply: HTTPReply, at now: TimeInterval) {
        phase = .replying
        append(reply.head()[...])
        if !reply.body.isEmpty { append(reply.body[...]) }
        deadline = now + limits.patience
    }

    /// Begins a stream of events.
    mutating func beginStream(at now: TimeInterval) {
        phase = .streaming
        var reply = HTTPReply(status: 200)
        reply.fields = [("Content-Type", "text/event-stream")]
        append(reply.head(isStream: true)[...])
        append(Array("retry: 1000\n\n".utf8)[...])
        deadline = now + limits.patience
    }

    /// Sends an event. Returns false if the reader is too slow: the connection must be closed.
    mutating func stream(_ event: [UInt8], at now: TimeInterval) -> Bool {
        guard outputCount + event.count <= limits.streamBacklog else { return false }
        if outputCount == 0 { deadline = now + limits.patience }
        append(event[...])
        return true
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        output.append(bytes)
        outputCount += bytes.count
    }

    /// The next bytes for the client; nil if there are none.
    var nextOutput: ArraySlice<UInt8>? { output.first }

    /// Removes bytes that the client has taken.
    mutating func sent(_ count: Int, at now: TimeInterval) {
        guard count > 0, let first = output.first else { return }
        outputCount -= count
        if count == first.count { output.removeFirst() } else { output[0] = first.dropFirst(count) }
        deadline = isStreaming && output.isEmpty ? .infinity : now + limits.patience
    }

    /// Notes that the server has ended its side of the stream.
    mutating func drain(at now: TimeInterval) {
        phase = .draining
        deadline = now + limits.linger
    }
}
