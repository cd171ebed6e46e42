/// The identifiers of one attempt of a request in a distributed trace (W3C Trace Context, §3).
public struct TraceContext: Equatable, Sendable {
    /// The identifier of the trace: 32 hexadecimal digits in lower case. All attempts of a request belong to one trace.
    public let traceID: String

    /// The identifier of this attempt within the trace: 16 hexadecimal digits in lower case.
    public let spanID: String

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - trace: The trace of an earlier attempt; nil for a new trace.
    ///   - random: A source of random numbers.
    package init(continuing trace: TraceContext?, random: () -> UInt64 = { .random(in: 1 ... .max) }) {
        traceID = trace?.traceID ?? Self.digits(random()) + Self.digits(random())
        spanID = Self.digits(random())
    }

    /// The value of the `traceparent` header, in version 00 and with the *sampled* flag.
    public var traceparent: String { "00-\(traceID)-\(spanID)-01" }

    private static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
