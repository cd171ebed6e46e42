import Foundation

/// The faults that a ``FaultPlan`` adds to one request.
package struct FaultDecision: Hashable, Sendable, CustomStringConvertible {
    /// A fault that replaces or damages the response.
    package enum Fault: Hashable, Sendable {
        /// The server does not receive the request.
        case lostRequest(Loss)
        /// The server receives the request, but the client does not receive the response.
        case lostResponse(Loss)
        /// The client receives an error response that no server has sent.
        case serverError(status: Int, retryAfter: Int?)
        /// Only this fraction of the body arrives. The response has no `Content-Length`.
        case cutBody(keeping: Double)
        /// The body has this number of bytes more than `Content-Length`, or fewer bytes if the number is negative.
        case wrongLength(by: Int)
    }

    /// The way in which the client notices a loss.
    package enum Loss: String, Hashable, Sendable {
        /// The request fails with `URLError.timedOut`, after ``FaultRates/timeoutSeconds``.
        case timedOut
        /// The request fails with `URLError.networkConnectionLost`.
        case connectionLost
    }

    /// The delay before the request is sent, in seconds; 0 without a delay.
    package var requestDelay = 0.0
    /// The delay between the arrival of the response and its delivery, in seconds; 0 without a delay.
    package var responseDelay = 0.0
    /// True if the server receives the request twice.
    package var isDuplicated = false
    /// True if the response is held back until another response has arrived.
    package var isHeldBack = false
    /// The fault that replaces or damages the response; nil if the response is unchanged.
    package var fault: Fault?

    /// Creates a decision without faults.
    package init() {}

    /// A decision without faults.
    package static let none = FaultDecision()

    /// The faults as a text, for example `delayed by 0.25 s, status 503, Retry-After: 2`. Without faults, the text is
    /// `no fault`.
    package var description: String {
        var parts: [String] = []
        if requestDelay > 0 { parts.append("delayed by \(Self.seconds(requestDelay))") }
        if isDuplicated { parts.append("sent twice") }
        if let fault { parts.append(fault.description) }
        if responseDelay > 0 { parts.append("response delayed by \(Self.seconds(responseDelay))") }
        if isHeldBack { parts.append("response held back") }
        return parts.isEmpty ? "no fault" : parts.joined(separator: ", ")
    }

    private static func seconds(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000) s" }
}

extension FaultDecision.Fault: CustomStringConvertible {
    /// The fault as a text.
    package var description: String {
        switch self {
        case .lostRequest(let loss): "request lost (\(loss))"
        case .lostResponse(let loss): "response lost (\(loss))"
        case .serverError(let status, let retryAfter):
            "status \(status)" + (retryAfter.map { ", Retry-After: \($0)" } ?? "")
        case .cutBody(let fraction): "body cut to \(Int(fraction * 100)) %"
        case .wrongLength(let difference): "body \(abs(difference)) bytes too \(difference > 0 ? "long" : "short")"
        }
    }
}

extension FaultDecision.Loss {
    var error: URLError { URLError(self == .timedOut ? .timedOut : .networkConnectionLost) }
}
