import Foundation
import Isolation
import LoopbackServer

/// A server that applies a change once for each `Idempotency-Key`, and sometimes loses its response.
package final class RecordingServer: Sendable {
    package struct Change: Sendable {
        package let key: String
        package let path: String
        package let number: Int
    }

    private struct State {
        var applied: [Change] = []
        var keys: Set<String> = []
        var requestCount = 0
    }

    private let server: LoopbackServer
    private let state: Locked<State>

    package init() throws {
        let state = Locked(State())
        self.state = state
        server = try LoopbackServer { exchange in
            let request = exchange.request
            let number = Int(String(decoding: request.body, as: UTF8.self)) ?? -1
            let isLost = state.withLock { state in
                state.requestCount += 1
                let key = request.header("Idempotency-Key") ?? ""
                if state.keys.insert(key).inserted {
                    state.applied.append(Change(key: key, path: request.target, number: number))
                }
                return state.requestCount % 5 == 0
            }
            if isLost { exchange.close() } else { try exchange.respond(text: "\(number)") }
        }
    }

    package var port: UInt16 { server.port }
    package var applied: [Change] { state.withLock { $0.applied } }
    package var requestCount: Int { state.withLock { $0.requestCount } }
}
