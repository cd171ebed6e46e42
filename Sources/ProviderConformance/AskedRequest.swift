package import Foundation
import LoopbackServer
package import SiestaCore
import Waiting

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// A request that was passed to the provider under test. Counts its completions.
@MainActor
package final class AskedRequest {
    /// The provider's handle for the request.
    package let networking: any RequestNetworking

    let name: String
    private let log: CompletionLog
    private let givenUp: Gate

    init(_ request: URLRequest, of provider: any NetworkingProvider, orUntil givenUp: Gate) {
        let log = CompletionLog()
        name = "\(request.httpMethod ?? "GET") \(PreparedText.url(request.url))"
        networking = provider.startRequest(request) { response, data, error in
            log.append(ConformanceAnswer(response: response, data: data, error: error))
        }
        self.log = log
        self.givenUp = givenUp
    }

    /// The first response, as soon as it has arrived.
    package func answer() async throws -> ConformanceAnswer {
        await log.answered.wait(orUntil: givenUp)
        guard let answer = log.answers.first else {
            throw ProviderConformance.Violation(description: "\(name) was not completed in time")
        }
        return answer
    }

    /// The number of calls of the completion so far.
    package var completionCount: Int { log.answers.count }

    /// Blocks the thread until the response has arrived. Returns false after a minute: a blocked thread has no time limit.
    package func blockUntilAnswered() -> Bool {
        log.blockUntilAnswered()
    }

    /// Waits until the metrics meet a condition. Polls, because metrics send no notifications.
    package func metrics(
        _ what: String, _ isWanted: (RequestTransferMetrics) -> Bool
    ) async throws -> RequestTransferMetrics {
        try await Poll.until {
            guard !isWanted(networking.transferMetrics) else { return true }
            guard !givenUp.isOpen else {
                let found = "\(what): the metrics stay at \(networking.transferMetrics)"
                throw ProviderConformance.Violation(description: found)
            }
            return false
        }
        return networking.transferMetrics
    }
}

/// The arguments of a call to the provider's completion.
package struct ConformanceAnswer: Sendable, CustomStringConvertible {
    package let response: HTTPURLResponse?
    package let data: Data?
    package let error: (any Error)?

    package var status: Int? { response?.statusCode }
    package var text: String { String(decoding: data ?? Data(), as: UTF8.self) }

    /// Returns the value of a header field, in any case.
    package func header(_ name: String) -> String? { response?.value(forHTTPHeaderField: name) }

    package var description: String {
        if let error { return "\(error)" }
        return "\(status.map { "status \($0)" } ?? "no response") with \(data?.count ?? 0) bytes"
    }
}

/// The completions of one request, from any thread.
private final class CompletionLog: @unchecked Sendable {  // sound: `list` is touched under `condition` only
    let answered = Gate()
    private let condition = NSCondition()
    private var list: [ConformanceAnswer] = []

    var answers: [ConformanceAnswer] {
        condition.withLock { list }
    }

    func append(_ answer: ConformanceAnswer) {
        condition.withLock {
            list.append(answer)
            condition.broadcast()
        }
        answered.open()
    }

    func blockUntilAnswered() -> Bool {
        let end = Date(timeIntervalSinceNow: 60)
        return condition.withLock {
            while list.isEmpty {
                guard condition.wait(until: end) else { return false }
            }
            return true
        }
    }
}
