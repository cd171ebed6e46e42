import Foundation
package import SiestaCore
import SiestaTesting
import Testing

/// An independent server. `.ci/servers` starts it and names it in the environment.
package enum ForeignServer: String {
    case httpbin = "SIESTA_TEST_HTTPBIN"
    case nginx = "SIESTA_TEST_NGINX"
    case secureNginx = "SIESTA_TEST_NGINX_TLS"
    case oauth = "SIESTA_TEST_OAUTH"
    case eve = "SIESTA_TEST_EVE"
    case idempotency = "SIESTA_TEST_IDEMPOTENCY"
    case events = "SIESTA_TEST_EVENTS"
    /// The same server behind nginx, which passes each piece on at once, or collects them.
    case unbufferedEvents = "SIESTA_TEST_EVENTS_UNBUFFERED"
    case bufferedEvents = "SIESTA_TEST_EVENTS_BUFFERED"
    case hub = "SIESTA_TEST_HUB"

    /// True if the server is running.
    package var isRunning: Bool { address != nil }

    /// The URL of the server, without a slash at its end.
    package var address: String? { ProcessInfo.processInfo.environment[rawValue] }

    /// The certificate to trust for TLS.
    package static var certificate: String? { ProcessInfo.processInfo.environment["SIESTA_TEST_CA"] }

    /// Returns a service on the server, over one of the transports.
    @MainActor
    package func service(over transport: NetworkingKind = .platform) throws -> Service {
        let address: String = try #require(address)
        return Service(baseURL: address, networking: transport.networking)
    }
}

extension ResponseInfo {
    /// Returns the entity of a response that must be a success.
    package func entity() throws -> Entity<Any> {
        switch response {
        case .success(let entity): return entity
        case .failure(let error): throw error
        }
    }

    /// Returns a JSON object that must exist.
    package func object() throws -> [String: Any] {
        try #require(try entity().content as? [String: Any])
    }
}
