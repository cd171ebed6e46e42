/// An option that adds a step to exchanges while it is on.
package protocol StepKey: ConfigurationKey {
    /// The place of the step among those of other options.
    static var place: StepPlace { get }

    /// Returns the step of a configuration; nil if the option is off.
    @MainActor static func step(of configuration: Configuration) -> (any ExchangeStep)?
}

/// The order of the steps of an exchange, from the outermost to the innermost. Before an attempt, the outermost step is asked
/// first; after it, the innermost.
///
/// A retry is outside pacing, because each attempt needs the permission of the origin. Pacing is outside the credential,
/// because a credential may expire while a request waits for its turn.
package enum StepPlace: Int {
    case timeLimit, retry, offline, pacing, credential, trace
}

extension Configuration {
    /// The steps of the options that are on, from the outermost to the innermost.
    @MainActor var steps: [(place: StepPlace, step: any ExchangeStep)] {
        var steps: [(place: StepPlace, step: any ExchangeStep)] = []
        for option in options {
            guard let key = option.key as? any StepKey.Type, let step = key.step(of: self) else { continue }
            steps.append((key.place, step))
        }
        return steps.sorted { $0.place.rawValue < $1.place.rawValue }
    }
}
