extension Configuration {
    /// True if Foundation reads and writes all JSON of the resource. The default is false.
    ///
    /// By default, the library itself reads and writes JSON on Linux. The results are the same, and the library is
    /// several times faster. The library's own code is used by the standard JSON transformer, by
    /// ``Service/decode(_:as:requestMethods:decoder:)``, by `decoded(as:)`, and for request bodies. Foundation still
    /// handles unusual cases: errors, subclasses of `JSONDecoder` and `JSONEncoder`, JSON5, and custom strategies for
    /// keys. In rare cases, a text is decoded twice, and `init(from:)` of a type runs again; see <doc:Formats>. On
    /// Apple platforms, the option has no effect: Foundation reads and writes all JSON.
    ///
    /// The environment variable `SIESTA_FOUNDATION_JSON`, with any value, turns the option on for the whole process.
    /// Use this variable to find out, without rebuilding, whether the library's own JSON code causes a problem.
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
