import Foundation

/// The options of a configuration as texts, to show which rule changes them.
package struct ConfigurationOptions {
    package typealias Option = (name: String, value: String)

    /// The options of Siesta 1.5, and the coders.
    private let values: [Option]
    /// The options that have a ``ConfigurationKey``, as far as they were set.
    private let added: [any SetOption]

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
        self.values = values
        added = configuration.options
    }

    /// The options that differ from others.
    func changes(from other: ConfigurationOptions) -> [Option] {
        let old = Dictionary(other.values.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        let changed =
            values.filter { old[$0.name] != $0.value }
            + added.filter { $0.differs(from: other.added) }.map { ($0.name, $0.text) }
        return changed.map { (PreparedText.line($0.name), PreparedText.line($0.value, limit: 300)) }
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
