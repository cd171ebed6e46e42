#if os(Linux)
import Foundation
import Isolation

@testable import CurlTransport

/// Many requests to a scripted HTTP/2 server, 16 at a time. Some of them make it refuse, reset, leave or vanish.
final class HTTP2Storm: Sendable {
    private struct State {
        var posts = 0
        var unknown = 0
        var lost: [String] = []
    }

    private let state = Locked(State())
    private let transport: CurlTransport
    private let server: ScriptedHTTP2Server
    private let name: String

    init(_ transport: CurlTransport, _ server: ScriptedHTTP2Server, name: String) {
        self.transport = transport
        self.server = server
        self.name = name
    }

    /// The number of POSTs that were made, and the number of those whose outcome is unknown.
    var posts: Int { state.withLock { $0.posts } }
    var unknown: Int { state.withLock { $0.unknown } }

    /// The requests that failed although they should have succeeded.
    var lost: [String] { state.withLock { $0.lost } }

    /// The POSTs of this storm that the server has read. A POST that it has read several times occurs several times.
    var postsThatArrived: [Substring] {
        server.requests().compactMap { $0.split(separator: " ", maxSplits: 1).last }
            .filter { $0.hasPrefix("POST") && $0.contains("/\(name)/") }
    }

    func run(count: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<16 {
                group.addTask { [self] in
                    for number in 0..<count / 16 { await one(worker, number) }
                }
            }
        }
    }

    private func one(_ worker: Int, _ number: Int) async {
        let isPost = number % 8 == 7
        let trouble =
            switch (number + worker) % 200 {
            case 0: "cut"
            case 50: "refuse/1"
            case 100: "leave/1"
            case 150: "vanish/1"
            default: "page"
            }
        let path = "/\(trouble)/\(name)/\(worker)/\(number)"
        guard let url = try? server.url(path) else { return }
        let result = await transport.result(TransportRequest(isPost ? "POST" : "GET", url))
        let isUnknown = isPost && result.failureKind == .outcomeUnknown
        state.withLock { state in
            state.posts += isPost ? 1 : 0
            state.unknown += isUnknown ? 1 : 0
            if result.status != 200, !isUnknown, trouble != "cut" { state.lost.append("\(path) \(result)") }
        }
    }
}
#endif
