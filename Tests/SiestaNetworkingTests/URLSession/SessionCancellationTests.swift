import Foundation
import LoopbackServer

import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor @Suite(.timeLimit(.test))
struct SessionCancellationTests {
    private let provider = SessionConfigurationProvider(.ephemeral)

    @Test func `Cancelling at once completes with an error, once`() async throws {
        let answerIt = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.wait(for: answerIt)
            try exchange.respond()
        }
        let started = StartedRequest(server.url(), with: provider)
        started.networking.cancel()
        started.networking.cancel()
        answerIt.open()
        let answer = try await started.answer
        #expect(answer.errorCode == .cancelled)
        #expect(try await provider.answer(server.url()).status == 200)
        #expect(started.completionCount == 1)
    }

    @Test func `Cancelling while the server thinks closes the connection`() async throws {
        let (arrived, closed) = (Gate(), Gate())
        let server = try LoopbackServer { exchange in
            arrived.open()
            exchange.waitForDisconnect()
            closed.open()
        }
        let started = StartedRequest(server.url(), with: provider)
        await arrived.wait()
        started.networking.cancel()
        let answer = try await started.answer
        #expect(answer.errorCode == .cancelled)
        #expect(answer.response == nil)
        await closed.wait()
        #expect(started.completionCount == 1)
    }

    @Test func `Cancelling amid the body closes the connection; the counts stay`() async throws {
        let closed = Gate()
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst")
            exchange.waitForDisconnect()
            closed.open()
        }
        let started = StartedRequest(server.url(), with: provider)
        _ = try await started.metrics { $0.responseBytesReceived > 0 }
        started.networking.cancel()
        let answer = try await started.answer
        #expect(answer.errorCode == .cancelled)
        #expect(answer.data == nil)
        await closed.wait()
        #expect(started.networking.transferMetrics.responseBytesReceived == 5)
    }

    @Test func `Cancelling after completion changes nothing`() async throws {
        let server = try LoopbackServer { try $0.respond(text: "done") }
        let started = StartedRequest(server.url(), with: provider)
        #expect(try await started.answer.text == "done")
        started.networking.cancel()
        #expect(try await provider.answer(server.url()).text == "done")
        #expect(started.completionCount == 1)
        #expect(started.networking.transferMetrics.responseBytesReceived == 4)
    }
}
