extension LiveRequest {
    /// The rules of a request's life cycle: a request starts at most once and completes exactly once. Pure.
    struct Lifecycle {
        private enum Phase {
            case notStarted
            case inProgress
            case completed(ResponseInfo)
        }

        private var phase = Phase.notStarted

        /// Returns the life cycle of a request whose response is already known at its creation.
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

        /// The response of the completed request; nil before completion.
        var response: ResponseInfo? {
            guard case .completed(let response) = phase else { return nil }
            return response
        }

        /// Marks the request as started. Returns true if the caller must start the work.
        mutating func start() -> Bool {
            guard case .notStarted = phase else { return false }
            phase = .inProgress
            return true
        }

        /// Completes the request. Returns false if it has already completed; then the caller must ignore `response`.
        mutating func complete(with response: ResponseInfo) -> Bool {
            if case .completed = phase { return false }
            phase = .completed(response)
            return true
        }
    }
}
