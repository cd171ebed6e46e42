package import Foundation
import HTTPRules

/// The configurations of all resources that match the same rules: one for each method, computed when it is first
/// needed.
@MainActor
package final class ConfigurationSet {
    /// A configuration, copies of the options that are read most often, and the pipeline in a form that other threads
    /// can use.
    package final class Resolved {
        package let configuration: Configuration
        /// False if all options that have a ``ConfigurationKey`` have their defaults. Then nothing need be read.
        let hasOptions: Bool
        package let processing: ResponseProcessing
        package let freshnessLimits: Freshness.Limits
        package let progressReportingInterval: TimeInterval
        let addsIdempotencyKeys: Bool
        /// The `Accept` that the library has added to the headers; nil if it has added none.
        let negotiatedAccept: String?
        /// A number that no other configuration has, except the provisional one.
        package let number: UInt64
        /// The rules of HTTP caching; nil if freshness does not follow them.
        let httpFreshness: HTTPFreshness?
        /// True if loads have exactly the configured headers, and if these contain no directives for caches.
        let hasPlainLoads: Bool
        /// The name of a configured header that cannot be sent; nil if all headers can be sent. This check is necessary
        /// because `URLRequest` silently ignores some invalid values, and would be sent without the header.
        let invalidHeader: String?
        /// The steps of exchanges with this configuration, which `ExchangeSteps` keeps here; nil before their first use.
        var steps: AnyObject?
        /// The names in the events of the pipeline, which are made for the first event.
        private(set) lazy var names = PipelineNames(configuration.pipeline)

        /// The default configuration. It is returned if the configuration of a resource is requested during its own
        /// computation.
        @MainActor static let provisional = Resolved(Configuration())

        @MainActor var isProvisional: Bool { self === Self.provisional }

        init(_ rules: Configuration, number: UInt64 = 0) {
            var configuration = rules
            hasOptions = !configuration.options.isEmpty
            negotiatedAccept = hasOptions ? configuration.addAccept() : nil
            self.number = number
            self.configuration = configuration
            freshnessLimits = Freshness.Limits(configuration)
            progressReportingInterval = configuration.progressReportingInterval
            httpFreshness = hasOptions ? HTTPFreshness(configuration) : nil
            hasPlainLoads = httpFreshness?.directives == RequestDirectives() && configuration.requestMutations.isEmpty
            addsIdempotencyKeys = hasOptions && configuration.sendsIdempotencyKeys
            invalidHeader = HeaderSyntax.invalidName(in: configuration.headers)
            processing = ResponseProcessing(
                configuration.pipeline, usesFoundationJSON: hasOptions && configuration.usesFoundationJSON)
        }
    }

    /// True if the rules have not changed since this set was created.
    private(set) var isCurrent = true
    private static var lastNumber: UInt64 = 0
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

    /// Returns the same as ``known(_:)`` for GET, without the cost of a set and a dictionary. Also registers the
    /// storages of its caches.
    private func resolvedGet() -> Resolved {
        guard !isGetUnderWay else { return .provisional }
        isGetUnderWay = true
        defer { isGetUnderWay = false }
        let resolved = resolve(.get)
        register.note(resolved.processing)
        get = resolved
        return resolved
    }

    /// Returns the rules that apply to a method, each with the options that it changes. Runs the configurers.
    package func effects(for method: RequestMethod) -> [(rule: String, changes: [ConfigurationOptions.Option])] {
        guard underWay.insert(method).inserted else { return [] }
        defer { underWay.remove(method) }
        var configuration = Configuration()
        var options = ConfigurationOptions(configuration)
        return rules.filter { $0.applies(to: method) }.map { rule in
            rule.configurer(&configuration)
            let new = ConfigurationOptions(configuration)
            defer { options = new }
            return (rule.description, new.changes(from: options))
        }
    }

    private func resolve(_ method: RequestMethod) -> Resolved {
        var configuration = Configuration()
        for rule in rules where rule.applies(to: method) {
            SiestaLog.log(.configuration, ["Applying", rule.description, "for", method])
            rule.configurer(&configuration)
        }
        Self.lastNumber += 1
        let resolved = Resolved(configuration, number: Self.lastNumber)
        if resolved.httpFreshness != nil { register.followsHTTP = true }
        return resolved
    }
}

extension Freshness.Limits {
    init(_ configuration: Configuration) {
        self.init(expirationTime: configuration.expirationTime, retryTime: configuration.retryTime)
    }
}
