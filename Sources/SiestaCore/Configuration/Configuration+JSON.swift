extension Configuration {
    /// True if Foundation reads and writes all JSON of the resource. The default is false.
    ///
    /// By default, the library uses its own JSON code on Linux. This code produces the same results as Foundation, and
    /// is several times faster. The standard JSON transformer, ``Service/decode(_:as:requestMethods:decoder:)``,
    /// `decoded(as:)` and request bodies use this code. Foundation still handles unusual cases: errors, subclasses of
    /// `JSONDecoder` and `JSONEncoder`, JSON5, and custom strategies for keys. In rare cases, the library decodes a
    /// body twice, and a type's `init(from:)` runs again; see <doc:Formats>.
    ///
    /// On Apple platforms, the option has no effect: Foundation reads and writes all JSON.
    ///
    /// If the environment variable `SIESTA_FOUNDATION_JSON` is set, to any value, the option is on for the whole
    /// process. Use this variable to find out, without rebuilding, whether the library's own JSON code causes a
    /// problem.
    public var usesFoundationJSON: Bool {
        get { self[UsesFoundationJSONKey.self] }
        set { self[UsesFoundationJSONKey.self] = newValue }
    }

    /// The decoder, and whether Foundation does its work.
    package var decoding: ConfiguredDecoder { ConfiguredDecoder(jsonDecoder, usesFoundation: usesFoundationJSON) }

    /// The encoder, and whether Foundation does its work.
    package var encoding: ConfiguredEncoder { ConfiguredEncoder(jsonEncoder, usesFoundation: usesFoundationJSON) }
}

private struct UsesFoundationJSONKey: ConfigurationKey { static let defaultValue = false }
