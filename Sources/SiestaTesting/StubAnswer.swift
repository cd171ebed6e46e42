public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a ``StubNetwork`` answers to one request.
public struct StubAnswer: Sendable {
    enum Outcome: Sendable {
        case response(status: Int, headers: [String: String], body: Data)
        case failure(any Error)
    }

    let outcome: Outcome
    private(set) var gate: StubGate?
    private(set) var isHeld = false

    /// A response with any status, headers and body that a server can send.
    ///
    /// Requests fail with ``StubNetwork/ImpossibleAnswer`` if the status is below 200, which is no final response, or has
    /// more than three digits; if there is a body although the method is HEAD or the status 204 or 304; or if a header
    /// cannot be sent (RFC 9110 §15, §6.4.1 and §5).
    public static func response(_ status: Int, headers: [String: String] = [:], body: Data = Data()) -> StubAnswer {
        StubAnswer(outcome: .response(status: status, headers: headers, body: body))
    }

    /// A response with JSON text as its body.
    public static func json(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> StubAnswer {
        .text(text, contentType: "application/json", status: status, headers: headers)
    }

    /// A response with text in UTF-8 as its body.
    public static func text(
        _ text: String, contentType: String = "text/plain; charset=utf-8", status: Int = 200,
        headers: [String: String] = [:]
    ) -> StubAnswer {
        .response(
            status, headers: headers.merging(["Content-Type": contentType]) { given, _ in given }, body: Data(text.utf8)
        )
    }

    /// 304: what the client has is current.
    public static let notModified = StubAnswer.response(304)

    /// A failure of the network.
    public static func failure(_ code: URLError.Code) -> StubAnswer {
        .failure(URLError(code))
    }

    /// A failure of the network with any error.
    public static func failure(_ error: any Error) -> StubAnswer {
        StubAnswer(outcome: .failure(error))
    }

    /// No answer until the test gives one with ``StubExchange/respond(with:)``.
    public static let held: StubAnswer = {
        var answer = StubAnswer.response(200)
        answer.isHeld = true
        return answer
    }()

    /// The same answer, but not before `gate` is open.
    public func after(_ gate: StubGate) -> StubAnswer {
        var answer = self
        answer.gate = gate
        return answer
    }
}
