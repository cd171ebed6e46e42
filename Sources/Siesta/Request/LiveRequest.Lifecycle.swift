extension LiveRequest {
    /// The rules of a request's life cycle: a request starts at most once and completes exactly once. Pure.
    struct Lifecycle {
        private enum Phase {
            case notStarted
            case inProgress
            indirect case completed(ResponseInfo)  // Rarely used, and large.
        }

        private var phase = Phase.notStarted

        /// Returns the life cycle of a request whose response is known when it is created.
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

        /// The response of the completed request; nil before.
        var response: ResponseInfo? {
            guard case .completed(let response) = phase else { return nil }
            return response
        }

        /// Marks the request as started. Returns true if the caller has to start the work.
        mutating func start() -> Bool {
            guard case .notStarted = phase else { return false }
            phase = .inProgress
            return true
        }

        /// Completes the request. Returns false if it was completed before: the caller has to ignore `response` then.
        mutating func complete(with response: ResponseInfo) -> Bool {
            if case .completed = phase { return false }
            phase = .completed(response)
            return true
        }
    }
}
