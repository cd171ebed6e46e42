/// The steps of the exchanges with one configuration and one session.
@MainActor
private final class ExchangeSteps {
    let list: [any ExchangeStep]
    let authentication: (any Authentication)?

    init(_ resolved: ConfigurationSet.Resolved, _ authentication: (any Authentication)?) {
        self.authentication = authentication
        var steps = resolved.steps
        if let authentication {
            let next = steps.firstIndex { $0.place.rawValue > StepPlace.credential.rawValue } ?? steps.endIndex
            steps.insert((.credential, authentication.step), at: next)
        }
        precondition(steps.count <= StepMemory.limit, "too many steps")
        list = steps.compactMap { $0.step as? any ExchangeStep }
    }
}

extension ResourceContext {
    /// Returns the steps of an exchange; usually none.
    ///
    /// - Parameter isOfRefresh: true if the refresh of a credential makes the request. It must neither wait for the
    ///   credential, nor for the places that the waiting requests have taken.
    @inline(__always)
    func steps(_ resolved: ConfigurationSet.Resolved, isOfRefresh: Bool) -> [any ExchangeStep] {
        authentication == nil && resolved.steps.isEmpty ? [] : chosenSteps(resolved, isOfRefresh)
    }

    private func chosenSteps(_ resolved: ConfigurationSet.Resolved, _ isOfRefresh: Bool) -> [any ExchangeStep] {
        guard !isOfRefresh else {
            return resolved.steps.filter { $0.place == .trace }.compactMap { $0.step as? any ExchangeStep }
        }
        if let known = resolved.stepsOfSession as? ExchangeSteps, known.authentication === authentication {
            return known.list
        }
        let new = ExchangeSteps(resolved, authentication)
        resolved.stepsOfSession = new
        return new.list
    }
}
