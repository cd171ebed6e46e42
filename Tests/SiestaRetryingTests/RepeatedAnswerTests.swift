import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Providers of apps that call back more than once.
@MainActor @Suite(.timeLimit(.test))
struct RepeatedAnswerTests {
    private final class RepeatingProvider: NetworkingProvider, RequestNetworking {
        private(set) var callbacks: [RequestNetworkingCompletionCallback] = []

        func startRequest(
            _ request: URLRequest, completion: @escaping RequestNetworkingCompletionCallback
        ) -> any RequestNetworking {
            callbacks.append(completion)
            return self
        }

        func cancel() {}

        var transferMetrics: RequestTransferMetrics {
            RequestTransferMetrics(
                requestBytesSent: 0, requestBytesTotal: nil, responseBytesReceived: 0, responseBytesTotal: nil)
        }

        /// Calls back for an attempt, the first of which is 0.
        func answer(_ attempt: Int, _ status: Int, _ text: String) throws {
            let url = try #require(URL(string: "https://api.test/thing"))
            callbacks[attempt](
                HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: [:]),
                Data(text.utf8), nil)
        }
    }

    private let clock = TestClock()
    private let provider = RepeatingProvider()
    private let service: Service

    init() {
        let provider = provider
        service = clock.whileCurrent {
            Service(baseURL: "https://api.test", standardTransformers: [], networking: provider)
        }
        service.configure { $0.retry = .standard }
    }

    private func settle() async {
        for _ in 0..<3 { await mainQueueTurn() }
    }

    @Test(arguments: [200, 404])
    func `A second answer to the first attempt neither completes nor stops the second`(_ status: Int) async throws {
        let load = service.resource("/thing").load()
        try provider.answer(0, 503, "")
        await settle()
        while provider.callbacks.count < 2 {
            try Task.checkCancellation()
            clock.advance(by: 0.1)
            await settle()
        }
        try provider.answer(0, status, "late")
        await settle()
        #expect(!load.isCompleted)
        try provider.answer(1, 200, "done")
        #expect(await load.completion().failure == nil)
        #expect(service.resource("/thing").latestData?.content as? Data == Data("done".utf8))
        try provider.answer(1, status, "late")
        await settle()
        #expect(service.resource("/thing").latestData?.content as? Data == Data("done".utf8))
        #expect(provider.callbacks.count == 2)
    }
}
