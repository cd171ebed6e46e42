import Foundation

/// Ends an exchange that takes too long; see ``Configuration/timeLimit``.
@MainActor
final class TimeLimitStep: ExchangeStep {
    private let limit: TimeInterval

    init(_ limit: TimeInterval) {
        self.limit = limit
    }

    func prepare(_ exchange: Exchange, _ index: Int) -> Preparation {
        guard exchange.memory[index] == 0 else { return .proceed }
        exchange.memory[index] = 1
        exchange.clock.schedule(after: limit) { [weak exchange, limit] in
            exchange?.stop {
                RequestError(
                    userMessage: UserMessages.current.timeLimitExceeded,
                    cause: RequestError.Cause.TimeLimitExceeded(limit: limit))
            }
        }
        return .proceed
    }
}
