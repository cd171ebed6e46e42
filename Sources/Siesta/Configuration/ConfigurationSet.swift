import Foundation

/// The configurations of all resources that match the same rules: one for each method, computed when it is first
/// needed.
@MainActor
final class ConfigurationSet {
    /// A configuration, copies of the options that are read most often, and the pipeline in a form that other threads
    /// can use.
    final class Resolved {
        let configuration: Configuration
        let processing: ResponseProcessing
        let freshnessLimits: Freshness.Limits
        let progressReportingInterval: TimeInterval
        /// The name of a configured header that cannot be sent; nil if there is none. Checked because `URLRequest`
        /// ignores some invalid values without an error, and would send the request without the header.
        let invalidHeader: String?

        /// The default configuration, returned for a resource whose configuration is requested while it is being
        /// computed.
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

    /// True as long as the rules have not changed since this set was created.
    private(set) var isCurrent = true
    private let rules: [ConfigurationRules.Rule]
    private let register: StorageRegister
    private var get: Resolved?
    private var others: [RequestMethod: Resolved] = [:]
    /// The methods whose configurers are running. If a configurer asks for the same configuration, it must not run
    /// again.
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

    /// Does the same as ``known(_:)`` for GET, without the cost of a set and a dictionary, and registers its storages.
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
