import Foundation
import Isolation
import LoopbackServer
import SiestaCore
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The arguments of a call of the provider's completion.
struct Answer: Sendable {
    let response: HTTPURLResponse?
    let data: Data?
    let error: (any Error)?

    var status: Int? { response?.statusCode }
    var text: String { String(decoding: data ?? Data(), as: UTF8.self) }
    var errorCode: URLError.Code? { (error as? URLError)?.code }
}

/// A request that was passed to a provider. Counts its completions.
@MainActor
final class StartedRequest {
    let networking: any RequestNetworking
    private let answers: Locked<[Answer]>
    private let answered: Gate

    init(_ request: URLRequest, with provider: any NetworkingProvider) {
        let answers = Locked<[Answer]>([])
        let answered = Gate()
        networking = provider.startRequest(request) { response, data, error in
            answers.withLock { $0.append(Answer(response: response, data: data, error: error)) }
            answered.open()
        }
        self.answers = answers
        self.answered = answered
    }

    convenience init(_ url: URL, with provider: any NetworkingProvider) {
        self.init(URLRequest(url: url), with: provider)
    }

    /// The first response, as soon as it has arrived.
    var answer: Answer {
        get async throws {
            await answered.wait()
            return try #require(answers.withLock { $0.first })
        }
    }

    /// The number of calls of the completion so far.
    var completionCount: Int { answers.withLock { $0.count } }

    /// Waits until the metrics meet a condition. Polls, because metrics send no notifications.
    func metrics(_ isWanted: (RequestTransferMetrics) -> Bool) async throws -> RequestTransferMetrics {
        try await Poll.until { isWanted(networking.transferMetrics) }
        return networking.transferMetrics
    }
}

@MainActor
extension NetworkingProviderConvertible {
    /// Sends a GET request and waits for its response.
    func answer(_ url: URL) async throws -> Answer {
        try await answer(URLRequest(url: url))
    }

    /// Sends `request` and waits for its response.
    func answer(_ request: URLRequest) async throws -> Answer {
        try await StartedRequest(request, with: siestaNetworkingProvider).answer
    }
}

extension URLRequest {
    /// Returns a POST request with `body`.
    init(posting body: Data, to url: URL) {
        self.init(url: url)
        httpMethod = "POST"
        httpBody = body
    }
}
