import Foundation
import Siesta
import SiestaTesting
import Testing

/// A server that nobody here wrote, started by `.ci/servers`, which names it in the environment.
enum ForeignServer: String {
    case httpbin = "SIESTA_TEST_HTTPBIN"
    case nginx = "SIESTA_TEST_NGINX"
    case secureNginx = "SIESTA_TEST_NGINX_TLS"

    /// Whether the server runs.
    var isRunning: Bool { address != nil }

    /// The URL of the server, without a slash at its end.
    var address: String? { ProcessInfo.processInfo.environment[rawValue] }

    /// The certificate to trust for TLS.
    static var certificate: String? { ProcessInfo.processInfo.environment["SIESTA_TEST_CA"] }

    /// A service on the server, over one of the transports.
    @MainActor
    func service(over transport: Transport = .platform) throws -> Service {
        let address: String = try #require(address)
        return Service(baseURL: address, networking: transport.networking)
    }
}

extension ResponseInfo {
    /// The entity of a response that has to be a success.
    func entity() throws -> Entity<Any> {
        switch response {
        case .success(let entity): return entity
        case .failure(let error): throw error
        }
    }

    /// A JSON object that has to be there.
    func object() throws -> [String: Any] {
        try #require(try entity().content as? [String: Any])
    }
}
