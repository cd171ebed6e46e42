import Foundation

/// The configurations of all resources that match the same rules: one for each method, computed when first asked for.
@MainActor
final class ConfigurationSet {
    /// A configuration, what is asked of it most often, and its pipeline as other threads use it.
    final class Resolved {
        let configuration: Configuration
        let processing: ResponseProcessing
        let freshnessLimits: Freshness.Limits
        let progressReportingInterval: TimeInterval
        /// The name of a configured header that cannot be sent. `URLRequest` ignores some invalid values without an
        /// error, so that the request would be sent without the header.
        let invalidHeader: String?

        /// What holds for a resource of which it is asked while its configuration is being made.
        @MainActor static let provisional = Resolved(Configuration())

        @MainActor var isProvisional: Bool { self === Self.provisional }

        init(_ configuration: Configuration) {
            self.configuration = configuration
            freshnessLimits = Freshness.Limits(
                expirationTime: configuration.expirationTime, retryTime: configuration.retryTime)
            progressReportingInterval = configuration.progressReportingInterval
            invalidHeader = HeaderSyntax.invalidName(in: configuration.headers)
            processing = ResponseProcessing(configuration.pipeline)
        }
    }

    /// Whether the rules are still those that this was made of.
    private(set) var isCurrent = true
    private let rules: [ConfigurationRules.Rule]
    private let register: StorageRegister
    private var get: Resolved?
    private var others: [RequestMethod: Resolved] = [:]
    /// The methods whose configurers are running: questions of theirs must not make them run again.
    private var underWay: Set<RequestMethod> = []
    private var isGetUnderWay = false

    init(rules: [ConfigurationRules.Rule], register: StorageRegister) {
        self.rules = rules
        self.register = register
    }

    func outdate() {
        isCurrent = false
    }

    @inline(__always)
    subscript(method: RequestMethod) -> Resolved {
        if method == .get { return get ?? resolvedGet() }
        return known(method)
    }

    private func known(_ method: RequestMethod) -> Resolved {
        if let known = others[method] { return known }
        guard underWay.insert(method).inserted else { return .provisional }
        defer { underWay.remove(method) }
        let resolved = resolve(method)
        others[method] = resolved
        return resolved
    }

    /// The same for GET, without the cost of sets and dictionaries.
    private func resolvedGet() -> Resolved {
        guard !isGetUnderWay else { return .provisional }
        isGetUnderWay = true
        defer { isGetUnderWay = false }
        let resolved = resolve(.get)
        register.note(resolved.processing)
        get = resolved
        return resolved
    }

    private func resolve(_ method: RequestMethod) -> Resolved {
        var configuration = Configuration()
        for rule in rules where rule.applies(to: method) {
            SiestaLog.log(.configuration, ["Applying", rule.description, "for", method])
            rule.configurer(&configuration)
        }
        return Resolved(configuration)
    }
}
