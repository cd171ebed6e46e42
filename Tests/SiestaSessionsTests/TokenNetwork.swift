import Foundation
import Isolation
import SiestaSessions
import SiestaTesting

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The network of an authenticator: it records requests, and answers them in order.
final class TokenNetwork: Sendable {
    let clock = TestClock()
    private let state: Locked<(requests: [URLRequest], answers: [NetworkResponse])>

    init(_ answers: NetworkResponse...) {
        state = Locked(([], answers))
    }

    /// A network with one answer.
    convenience init(status: Int = 200, _ body: String) {
        self.init(NetworkResponse(status, body))
    }

    var requests: [URLRequest] { state.withLock { $0.requests } }

    /// The bodies of the requests, as text.
    var bodies: [String] { requests.map { String(decoding: $0.httpBody ?? Data(), as: UTF8.self) } }

    var network: AuthenticationNetwork {
        AuthenticationNetwork(clock: clock.clock) { request, completion in
            let answer = self.state.withLock { state in
                state.requests.append(request)
                return state.answers.isEmpty ? nil : state.answers.removeFirst()
            }
            completion(answer ?? NetworkResponse(head: nil, body: nil, error: URLError(.notConnectedToInternet)))
            return NoNetworking()
        }
    }

    private struct NoNetworking: RequestNetworking {
        func cancel() {}
        var transferMetrics: RequestTransferMetrics { .nothing }
    }
}

extension NetworkResponse {
    /// A response with a body of text.
    init(_ status: Int, _ body: String, _ fields: [String: String] = [:]) {
        self.init(head: Head(status: status, fields: HeaderFields(fields)), body: Data(body.utf8), error: nil)
    }
}
