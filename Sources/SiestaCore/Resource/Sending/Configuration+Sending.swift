extension Configuration {
    /// True if requests carry the `traceparent` header (W3C Trace Context), which lets a server relate its work to the
    /// request. The default is false.
    ///
    /// All attempts of a request belong to one trace. If a request already has a `traceparent` header, the library does
    /// not change it. The events of ``Service/activity`` contain the identifiers of the trace and the attempt.
    public var sendsTraceContext: Bool {
        get { self[SendsTraceContextKey.self] }
        set { self[SendsTraceContextKey.self] = newValue }
    }

    /// True if requests carry an `Accept` header (RFC 9110 §12.5.1) that lists the content types that the pipeline can
    /// read. The default is false.
    ///
    /// A type that a transformer or ``Service/decode(_:as:requestMethods:decoder:)`` names has the quality 1. A range
    /// such as `text/*` has the quality 0.5. The range `*/*` has the quality 0.1, because the app receives any other
    /// content as `Data`. With the standard transformers, the value is
    /// `application/json, text/*;q=0.5, image/*;q=0.5, */*;q=0.1`. Transformers that accept any type do not affect the
    /// header. Neither do patterns such as `*/*+json`, because no range can express them.
    ///
    /// If ``headers`` or a mutation sets `Accept`, that value is sent instead. Downloads, and requests whose responses
    /// are read in pieces, do not use the pipeline, and therefore do not carry this header.
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
