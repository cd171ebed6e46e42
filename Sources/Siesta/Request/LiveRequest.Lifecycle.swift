extension LiveRequest {
    /// The rules of a request's life: it starts at most once and completes exactly once. Pure.
    struct Lifecycle {
        private enum Phase {
            case notStarted
            case inProgress
            indirect case completed(ResponseInfo)  // Rarely there, and large.
        }

        private var phase = Phase.notStarted

        /// The life of a request whose response is known from the start.
        static func completed(_ response: ResponseInfo) -> Lifecycle {
            Lifecycle(phase: .completed(response))
        }

        var state: RequestState {
            switch phase {
            case .notStarted: .notStarted
            case .inProgress: .inProgress
            case .completed: .completed
            }
        }

        /// What the request completed with, if it has.
        var response: ResponseInfo? {
            guard case .completed(let response) = phase else { return nil }
            return response
        }

        /// Whether the caller shall start the work.
        mutating func start() -> Bool {
            guard case .notStarted = phase else { return false }
            phase = .inProgress
            return true
        }

        /// Whether `response` is the one that counts; every later one is ignored.
        mutating func complete(with response: ResponseInfo) -> Bool {
            if case .completed = phase { return false }
            phase = .completed(response)
            return true
        }
    }
}
