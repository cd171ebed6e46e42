import Foundation
import HTTPRules
import SiestaCore

/// The codes in a response of the device authorization endpoint (RFC 8628 §3.2). Pure.
struct DeviceCodes: Sendable {
    let deviceCode: String
    let userCode: String
    let verificationURL: URL
    /// The URL that contains the code of the user; nil if there is none.
    let completeVerificationURL: URL?
    /// The time until the codes expire, in seconds.
    let lifetime: TimeInterval
    /// The least time between two requests for the credential, in seconds.
    let interval: TimeInterval

    /// The lifetime if the server names none that is usable, in seconds: that of the example in RFC 8628.
    static let standardLifetime: TimeInterval = 1800

    /// Reads a response.
    ///
    /// - Throws: The reason why it contains no codes. It contains no part of the body except an error code.
    init(status: Int, body: Data, retryAfter: String? = nil) throws(TokenResponse.Failure) {
        let members = try TokenResponse.members(status: status, body: body, retryAfter: retryAfter)
        func code(_ name: String) throws(TokenResponse.Failure) -> String {
            guard let text = members[name]?.text, !text.isEmpty else { throw .invalid("it has no \(name)") }
            guard TokenResponse.isToken(text) else { throw .invalid("its \(name) contains invalid characters") }
            return text
        }
        (deviceCode, userCode) = (try code("device_code"), try code("user_code"))
        // Google has named this member before the RFC did.
        guard let url = Self.url(members["verification_uri"] ?? members["verification_url"]) else {
            throw .invalid("its verification_uri is no https URL")
        }
        verificationURL = url
        completeVerificationURL = Self.url(members["verification_uri_complete"])
        lifetime = TokenResponse.lifetime(members) ?? Self.standardLifetime
        interval = DevicePolling.interval(members["interval"]?.number)
    }

    /// Returns a URL that a person may open: its host is known to be the right one.
    private static func url(_ member: TokenResponse.Member?) -> URL? {
        guard let url = member?.text.flatMap({ URL(reference: $0) }), (try? TokenRequest.check(url)) != nil else {
            return nil
        }
        return url
    }
}

extension DeviceCodes: CustomStringConvertible, CustomReflectable {
    /// The name of the type, without any part of the codes.
    var description: String { "DeviceCodes" }

    var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The time between two requests for the credential of a device (RFC 8628 §3.5). Pure.
struct DevicePolling: Equatable {
    /// The time before the next request, in seconds.
    private(set) var interval: TimeInterval

    /// The interval if the server names none, and the time by which it grows if the server asks for it, in seconds.
    static let standardInterval: TimeInterval = 5
    /// The longest interval to which failures lead, in seconds.
    static let longestAfterFailure: TimeInterval = 60

    /// Returns a usable interval. No server needs more than one request in a second.
    static func interval(_ seconds: Double?) -> TimeInterval {
        guard let seconds, seconds >= 0 else { return standardInterval }
        return min(max(seconds, 1), TokenResponse.lifetimeLimit)
    }

    /// Returns true if the device asks again after a response without a credential. Then the interval may be longer.
    mutating func continues(after failure: TokenResponse.Failure) -> Bool {
        switch failure {
        case .refused("authorization_pending", _): return true
        case .refused("slow_down", _):
            interval += Self.standardInterval
            return true
        case .status(let status, _) where status >= 500 || [408, 429].contains(status):
            slowDownAfterFailure(atLeast: failure.error.retryAfter)
            return true
        case .refused, .status, .invalid: return false
        }
    }

    /// Makes the interval longer because the network or the server has failed.
    mutating func slowDownAfterFailure(atLeast minimum: TimeInterval? = nil) {
        interval = max(interval, min(2 * interval, Self.longestAfterFailure), minimum ?? 0)
    }
}
