extension Configuration {
    /// True if requests carry the header `traceparent` (W3C Trace Context), with which a server can relate its work to
    /// the request. The default is false.
    ///
    /// All attempts of a request belong to one trace. If a request already has the header, the library does not change
    /// the header. The events of ``Service/activity`` contain the identifiers of the trace and the attempt.
    public var sendsTraceContext: Bool {
        get { self[SendsTraceContextKey.self] }
        set { self[SendsTraceContextKey.self] = newValue }
    }

    /// True if requests carry the header `Accept` (RFC 9110 §12.5.1) with the content types that the pipeline reads.
    /// The default is false.
    ///
    /// The types that ``Service/decode(_:as:requestMethods:decoder:)`` or a transformer reads have the quality 1.
    /// Ranges such as `text/*` have 0.5, and `*/*` has 0.1, because the app still receives any other content as `Data`.
    /// With the standard transformers, the value is `application/json, text/*;q=0.5, image/*;q=0.5, */*;q=0.1`. The
    /// header omits transformers that accept any type. It also omits patterns such as `*/*+json`, because no range can
    /// express them.
    ///
    /// If ``headers`` or a mutation sets `Accept`, that value is sent instead. Downloads, and requests whose responses
    /// are read in pieces, do not use the pipeline. Therefore they do not carry this header.
    public var negotiatesContent: Bool {
        get { self[NegotiatesContentKey.self] }
        set { self[NegotiatesContentKey.self] = newValue }
    }

    /// Adds the `Accept` that the pipeline implies, unless it is off or the app has set one. Returns its value.
    mutating func addAccept() -> String? {
        guard negotiatesContent, !headers.keys.contains(where: { $0.lowercased() == "accept" }),
            let value = AcceptField.value(for: pipeline)
        else { return nil }
        headers["Accept"] = value
        return value
    }
}

private struct SendsTraceContextKey: StepKey {
    static let defaultValue = false
    static let place = StepPlace.trace

    static func step(of configuration: Configuration) -> (any ExchangeStep)? {
        configuration.sendsTraceContext ? TraceStep() : nil
    }
}

private struct NegotiatesContentKey: ConfigurationKey {
    static let defaultValue = false
}
