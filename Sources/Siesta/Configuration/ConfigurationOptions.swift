import Foundation

/// The options of a configuration as texts, to show which rule changes them.
struct ConfigurationOptions {
    typealias Option = (name: String, value: String)

    private let values: [Option]

    init(_ configuration: Configuration) {
        var values: [Option] = [
            ("expirationTime", "\(configuration.expirationTime.formatted(decimals: 3)) s"),
            ("retryTime", "\(configuration.retryTime.formatted(decimals: 3)) s"),
            ("headers", configuration.headers.keys.sorted().joined(separator: ", ")),
            ("requestMutations", "\(configuration.requestMutations.count)"),
            ("requestDecorators", "\(configuration.requestDecorators.count)"),
            ("progressReportingInterval", "\(configuration.progressReportingInterval.formatted(decimals: 3)) s"),
            ("jsonDecoder", configuration.jsonDecoder.strategies),
            ("jsonEncoder", configuration.jsonEncoder.strategies),
        ]
        for key in configuration.pipeline.order {
            let stage = configuration.pipeline[key]
            values.append(("transformers of \(key)", stage.transformers.map(\.nameInEvents).joined(separator: ", ")))
            values.append(("cache of \(key)", stage.cache?.name ?? "none"))
        }
        values += Self.values(configuration.changedSending ?? SendingOptions())
        self.values = values
    }

    private static func values(_ options: SendingOptions) -> [Option] {
        [
            ("freshness", "\(options.freshness)"),
            ("retry", options.retry.isOn ? "\(options.retry.retryLimit)" : "off"),
            ("pacing", options.pacing.isOn ? "on" : "off"), ("priority", "\(options.priority)"),
            ("offline", "\(options.offline)"), ("idempotencyKeys", "\(options.idempotencyKeys)"),
            ("precondition", "\(options.precondition)"), ("reload", "\(options.reload.rawValue)"),
            (
                "cancelsLoadsAfterLastObserver",
                options.cancelDelay.map { "after \($0.formatted(decimals: 3)) s" } ?? "never"
            ),
            ("sendsTraceContext", "\(options.sendsTraceContext)"),
            ("negotiatesContent", "\(options.negotiatesContent)"),
            ("usesFoundationJSON", "\(options.usesFoundationJSON)"), ("isPersonal", "\(options.isPersonal)"),
            ("changeDetection", options.changeDetection.isOn ? "on" : "off"),
            ("retention", options.retention.map { "\($0.formatted(decimals: 3)) s" } ?? "unlimited"),
            ("tags", options.dependencies.tags.sorted().joined(separator: ", ")),
            ("taggers", "\(options.dependencies.taggers.count)"),
            ("invalidates", options.dependencies.invalidates.map { "\($0)" }.sorted().joined(separator: ", ")),
            ("invalidators", "\(options.dependencies.invalidators.count)"),
        ]
    }

    /// The options that differ from others.
    func changes(from other: ConfigurationOptions) -> [Option] {
        let old = Dictionary(other.values.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        return values.filter { old[$0.name] != $0.value }.map {
            ($0.name, PreparedText.line($0.value, limit: 300))
        }
    }
}

extension JSONDecoder {
    /// The class and the strategies, as text.
    fileprivate var strategies: String {
        """
        \(type(of: self)), dates \(dateDecodingStrategy), data \(dataDecodingStrategy), keys \(keyDecodingStrategy), \
        floats \(nonConformingFloatDecodingStrategy), \(userInfo.count) in userInfo, JSON5 \(allowsJSON5)
        """
    }
}

extension JSONEncoder {
    /// The class and the strategies, as text.
    fileprivate var strategies: String {
        """
        \(type(of: self)), dates \(dateEncodingStrategy), data \(dataEncodingStrategy), keys \(keyEncodingStrategy), \
        floats \(nonConformingFloatEncodingStrategy), \(userInfo.count) in userInfo, format \(outputFormatting.rawValue)
        """
    }
}
