/// An option that adds a step to exchanges while it is on.
package protocol StepKey: ConfigurationKey {
    /// The place of the step among those of other options.
    static var place: StepPlace { get }

    /// Returns the step of a configuration; nil if the option is off.
    @MainActor static func step(of configuration: Configuration) -> (any ConfiguredStep)?
}

/// The order of the steps of an exchange, from the outermost to the innermost. Before an attempt, the outermost step is asked
/// first; after it, the innermost.
///
/// A retry is outside pacing, because each attempt needs the permission of the origin. Pacing is outside the credential,
/// because a credential may expire while a request waits for its turn.
package enum StepPlace: Int {
    case timeLimit, retry, offline, pacing, credential, trace
}

/// A step that an option has made; an `ExchangeStep`.
package protocol ConfiguredStep: AnyObject {}

extension Configuration {
    /// The steps of the options that are on, from the outermost to the innermost.
    @MainActor var steps: [(place: StepPlace, step: any ConfiguredStep)] {
        options.compactMap { $0.step(of: self) }.sorted { $0.place.rawValue < $1.place.rawValue }
    }
}

extension OptionValue {
    @MainActor func step(of configuration: Configuration) -> (place: StepPlace, step: any ConfiguredStep)? {
        guard let key = Key.self as? any StepKey.Type, let step = key.step(of: configuration) else { return nil }
        return (key.place, step)
    }
}
