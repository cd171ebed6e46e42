import Foundation

/// The configurations of all resources that match the same rules: one for each method, computed when first asked for.
@MainActor
final class ConfigurationSet {
    /// A configuration with the pipeline as other threads use it.
    final class Resolved {
        let configuration: Configuration
        let processing: ResponseProcessing
        let expirationTime: TimeInterval
        let retryTime: TimeInterval

        init(_ configuration: Configuration) {
            self.configuration = configuration
            expirationTime = configuration.expirationTime
            retryTime = configuration.retryTime
            processing = ResponseProcessing(configuration.pipeline)
        }
    }

    let generation: Int
    private let rules: [ConfigurationRules.Rule]
    private var get: Resolved?
    private var others: [RequestMethod: Resolved] = [:]

    init(rules: [ConfigurationRules.Rule], generation: Int) {
        self.rules = rules
        self.generation = generation
    }

    subscript(method: RequestMethod) -> Resolved {
        if let known = method == .get ? get : others[method] { return known }
        let resolved = resolve(method)
        if method == .get { get = resolved } else { others[method] = resolved }
        return resolved
    }

    private func resolve(_ method: RequestMethod) -> Resolved {
        var configuration = Configuration()
        for rule in rules where rule.methods.contains(method) {
            SiestaLog.log(.configuration, ["Applying", rule.description, "for", method])
            rule.configurer(&configuration)
        }
        return Resolved(configuration)
    }
}
