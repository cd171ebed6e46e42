public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The answer of a ``StubNetwork`` to one request: a response or a failure.
public struct StubAnswer: Sendable {
    enum Outcome: Sendable {
        case response(status: Int, headers: [String: String], body: Data)
        case failure(any Error)
    }

    let outcome: Outcome
    /// True if the body follows in pieces, which the test sends.
    private(set) var isStream = false
    private(set) var gate: StubGate?
    private(set) var isHeld = false

    /// Creates a response with a status, headers and a body.
    ///
    /// If HTTP does not allow a server to send this response, the request fails. This happens in the following cases:
    ///
    /// - The status is below 200, and therefore not that of a final response, or has more than three digits (RFC 9110
    ///   §15).
    /// - The response has a body, although the method is HEAD or the status is 204 or 304 (§6.4.1).
    /// - A header has a name or value that HTTP does not allow (§5).
    public static func response(_ status: Int, headers: [String: String] = [:], body: Data = Data()) -> StubAnswer {
        StubAnswer(outcome: .response(status: status, headers: headers, body: body))
    }

    /// Creates a response whose body is a JSON text.
    public static func json(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> StubAnswer {
        .text(text, contentType: "application/json", status: status, headers: headers)
    }

    /// Creates a response whose body is text, encoded in UTF-8.
    public static func text(
        _ text: String, contentType: String = "text/plain; charset=utf-8", status: Int = 200,
        headers: [String: String] = [:]
    ) -> StubAnswer {
        .response(
            status, headers: headers.merging(["Content-Type": contentType]) { given, _ in given }, body: Data(text.utf8)
        )
    }

    /// Creates the head of a response whose body the test sends in pieces:
    ///
    ///     network.answer(.get, "/orders/events", with: .stream())
    ///     let stream = try await network.exchange(2)
    ///     stream.send("event: 7\ndata: {\"state\": \"paid\"}\n\n")
    ///
    /// The test also ends the stream, with ``StubExchange/finish()`` or ``StubExchange/fail(_:)``. Until the test sends
    /// a piece, the stream is silent. The client measures this silence with the clock of the service, so the test does
    /// not have to wait in real time. A load receives all pieces together when the stream ends.
    ///
    /// - Parameters:
    ///   - status: The status of the response. The default is 200.
    ///   - headers: The headers of the response. The default content type is `text/event-stream`.
    public static func stream(_ status: Int = 200, headers: [String: String] = [:]) -> StubAnswer {
        let headers = headers.merging(["Content-Type": "text/event-stream"]) { given, _ in given }
        var answer = StubAnswer.response(status, headers: headers)
        answer.isStream = true
        return answer
    }

    /// A response with status 304, which tells the client that its data is current.
    public static let notModified = StubAnswer.response(304)

    /// Creates a failure of the network with an error code.
    public static func failure(_ code: URLError.Code) -> StubAnswer {
        .failure(URLError(code))
    }

    /// Creates a failure of the network with any error.
    public static func failure(_ error: any Error) -> StubAnswer {
        StubAnswer(outcome: .failure(error))
    }

    /// An answer that the network holds back until the test calls ``StubExchange/respond(with:)``.
    public static let held: StubAnswer = {
        var answer = StubAnswer.response(200)
        answer.isHeld = true
        return answer
    }()

    /// Returns a copy of this answer that is held back until `gate` releases it.
    public func after(_ gate: StubGate) -> StubAnswer {
        var answer = self
        answer.gate = gate
        return answer
    }
}
