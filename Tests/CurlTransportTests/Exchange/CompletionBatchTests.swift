#if os(Linux)
import Foundation
import LoopbackServer
import TestKit
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.test))
struct CompletionBatchTests {
    private var batch = CompletionBatch()

    @Test func `An empty batch is never due`() {
        #expect(!batch.isDue(now: 0))
        #expect(!batch.isDue(now: .max))
    }

    @Test mutating func `A full batch is due at once`() {
        for _ in 1..<CompletionBatch.size { batch.add(now: 5) }
        #expect(!batch.isDue(now: 5))
        batch.add(now: 5)
        #expect(batch.isDue(now: 5))
    }

    @Test mutating func `The first completion determines when a batch is due`() {
        batch.add(now: 1000)
        batch.add(now: 2000)
        #expect(!batch.isDue(now: 999 + CompletionBatch.delay))
        #expect(batch.isDue(now: 1000 + CompletionBatch.delay))
        batch.clear()
        batch.add(now: 3000)
        #expect(!batch.isDue(now: 1000 + CompletionBatch.delay))
    }

    @Test func `A completion does not wait for an exchange whose server is silent`() async throws {
        let server = try LoopbackServer.serving { connection in
            while let head = connection.head() {
                if head.target == "/silent" { return connection.waitForDisconnect() }
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let transport = try CurlTransport.fresh()
        let silent = transport.start(TransportRequest("GET", server.url("/silent"))) { _ in }
        for _ in 0..<2 * CompletionBatch.size {
            #expect(try await transport.get(server.url()).get().body == Data("ok".utf8))
        }
        silent.cancel()
    }
}
#endif
