import Foundation
import Isolation
package import LoopbackServer

/// The server behind a sample: a real HTTP server on loopback. It gives scripted answers, and responds with status 404
/// to all other requests.
package final class SampleServer: Sendable {
    private let scripts: Locked<[String: [SampleAnswer]]>
    private let server: LoopbackServer

    /// Starts the server at a free port, or at the given address. It stops when it is released.
    package init(_ address: LoopbackAddress = .ipv4()) throws {
        let scripts = Locked<[String: [SampleAnswer]]>([:])
        self.scripts = scripts
        server = try LoopbackServer(address) { exchange in
            let name = Self.name(of: exchange.request)
            let answer = scripts.withLock { scripts in
                let answers = scripts[name] ?? []
                if answers.count > 1 { scripts[name] = Array(answers.dropFirst()) }
                return answers.first ?? .status(404)
            }
            try answer.script(exchange)
        }
        _ = Self.stopAllAtExit
        Self.all.withLock { $0.append(Weak(server: self)) }
    }

    private struct Weak: Sendable {
        weak let server: SampleServer?
    }

    private static let all = Locked<[Weak]>([])

    /// Global services of samples keep their servers until the process ends. Then the threads of these servers must be
    /// joined, because the thread sanitizer reports threads that nothing waits for.
    private static let stopAllAtExit: Void = {
        atexit {
            for weak in SampleServer.all.withLock({ $0 }) { weak.server?.server.stop() }
        }
    }()

    /// Scripts the answers to a request such as `GET /users/42?page=1`. The answers are given one after another; all
    /// later requests receive the last answer.
    package func answer(_ request: String, _ answers: SampleAnswer...) {
        scripts.withLock { $0[request] = answers }
    }

    /// The received requests in order, without headers and bodies, such as `GET /users/42?page=1`.
    package var received: [String] { server.requests.map { Self.name(of: $0) } }

    /// The received requests in order.
    package var requests: [ReceivedRequest] { server.requests }

    /// The body of the last request, as text.
    package var lastBody: String? { server.requests.last.map { String(decoding: $0.body, as: UTF8.self) } }

    /// The port of the server; 0 for a Unix socket.
    package var port: UInt16 { server.port }

    private static func name(of request: ReceivedRequest) -> String { "\(request.method) \(request.target)" }
}
