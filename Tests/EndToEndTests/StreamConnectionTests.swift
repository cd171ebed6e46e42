import Foundation
import LoopbackServer
import SiestaCore
import SiestaLive
import SiestaTransfers
import TestDoubles
import TestKit
import Testing
import Waiting

/// The connections that streams, transfers and loads use at the same time.
@MainActor @Suite(.timeLimit(.test))
struct StreamConnectionTests {
    /// Six is the greatest number of connections to one host for other requests.
    @Test(arguments: NetworkingKind.allCases)
    func `More than six streams of events are open at the same time, and take no connections of downloads`(
        kind: NetworkingKind
    ) async throws {
        let gate = Gate()
        let server = try LoopbackServer { exchange in
            guard exchange.request.target.hasPrefix("/events") else { return try exchange.respond(text: "ok") }
            try exchange.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "9\r\ndata: a\n\n\r\n")
            try exchange.wait(for: gate)
        }
        let service = Service(baseURL: server.url(), networking: kind.networking)
        var opened = 0
        let streams = (0..<8).map { number in
            let resource = service.resource("/events/\(number)")
            return Task { for try await _ in resource.eventStream { opened += 1 } }
        }
        try await Poll.until { opened == streams.count }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        _ = try await service.resource("/file").download(to: file).value
        #expect(try Data(contentsOf: file) == Data("ok".utf8))
        for stream in streams { stream.cancel() }
        gate.open()
    }
}
