/// The steps of the exchanges with one configuration and one session.
@MainActor
private final class ExchangeSteps {
    /// The steps of options, which stay the same after a change of the session.
    let configured: [(place: StepPlace, step: any ExchangeStep)]
    let list: [any ExchangeStep]
    let authentication: (any Authentication)?

    init(_ configured: [(place: StepPlace, step: any ExchangeStep)], _ authentication: (any Authentication)?) {
        (self.configured, self.authentication) = (configured, authentication)
        var steps = configured
        if let authentication {
            let next = steps.firstIndex { $0.place.rawValue > StepPlace.credential.rawValue } ?? steps.endIndex
            steps.insert((.credential, authentication.step), at: next)
        }
        precondition(steps.count <= StepMemory.limit, "too many steps")
        list = steps.map(\.step)
    }
}

extension ResourceContext {
    /// Returns the steps of an exchange; usually none.
    ///
    /// - Parameter isOfRefresh: true if the refresh of a credential makes the request. It must neither wait for the
    ///   credential, nor for the places that the waiting requests have taken.
    @inline(__always)
    func steps(_ resolved: ConfigurationSet.Resolved, isOfRefresh: Bool) -> [any ExchangeStep] {
        authentication == nil && !resolved.hasOptions ? [] : chosenSteps(resolved, isOfRefresh)
    }

    private func chosenSteps(_ resolved: ConfigurationSet.Resolved, _ isOfRefresh: Bool) -> [any ExchangeStep] {
        let steps = currentSteps(resolved)
        return isOfRefresh ? steps.configured.filter { $0.place == .trace }.map(\.step) : steps.list
    }

    private func currentSteps(_ resolved: ConfigurationSet.Resolved) -> ExchangeSteps {
        let known = resolved.steps as? ExchangeSteps
        if let known, known.authentication === authentication { return known }
        let new = ExchangeSteps(known?.configured ?? resolved.configuration.steps, authentication)
        resolved.steps = new
        return new
    }
}
