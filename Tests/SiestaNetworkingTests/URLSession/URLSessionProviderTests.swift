import Foundation
import LoopbackServer
import SiestaCore
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor @Suite(.timeLimit(.test))
struct URLSessionProviderTests {
    @Test func `A session is used as it is, with its headers, redirects and cookies`() async throws {
        let server = try LoopbackServer { exchange in
            exchange.request.target == "/"
                ? try exchange.respond(302, headers: ["Location: /next", "Set-Cookie: a=b; Path=/"])
                : try exchange.respond(text: "end")
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Client": "test"]
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let provider = try #require(session.siestaNetworkingProvider as? URLSessionProvider)
        #expect(provider.session === session)
        #expect(try await provider.answer(server.url()).text == "end")
        #expect(server.requests.map { $0.header("X-Client") } == ["test", "test"])
        #expect(configuration.httpCookieStorage?.cookies?.map(\.name) == ["a"])
    }

    @Test func `A failure is passed on`() async throws {
        let socket = try Socket.refusing()
        let url = try #require(URL(string: "http://127.0.0.1:\(socket.port)/"))
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let answer = try await session.answer(url)
        socket.close()
        #expect(answer.errorCode == .cannotConnectToHost)
        #expect(answer.response == nil)
    }

    @Test func `A started request shows its task, and cancels it`() async throws {
        let arrived = Gate()
        let server = try LoopbackServer { exchange in
            arrived.open()
            exchange.waitForDisconnect()
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let request = URLRequest(posting: Data("body".utf8), to: server.url())
        let started = StartedRequest(request, with: URLSessionProvider(session: session))
        await arrived.wait()
        let container = try #require(started.networking as? any SessionTaskContainer)
        #expect(container.task.originalRequest?.url == server.url())
        #expect(container.transferMetrics.requestBytesTotal == 4)
        #expect(container.transferMetrics.responseBytesTotal == nil)
        started.networking.cancel()
        #expect(try await started.answer.errorCode == .cancelled)
    }
}
