/// Three closures that pass the activity of a service to a log, to a metrics system and to a distributed trace.
///
/// With them, swift-log, swift-metrics and swift-distributed-tracing are attached in a few lines; see
/// <doc:WhyDidItLoad>. Each closure is optional. They are called in the order of the events, one after another, on any
/// thread except the main thread.
public struct ActivityExport: Sendable {
    /// Receives each event.
    public var log: (@Sendable (ActivityEvent) -> Void)?

    /// Receives each measured number.
    public var measure: (@Sendable (ActivityMeasurement) -> Void)?

    /// Receives each request after its end.
    public var trace: (@Sendable (ActivitySpan) -> Void)?

    /// Creates an export to the closures that are not nil.
    public init(
        log: (@Sendable (ActivityEvent) -> Void)? = nil, measure: (@Sendable (ActivityMeasurement) -> Void)? = nil,
        trace: (@Sendable (ActivitySpan) -> Void)? = nil
    ) {
        (self.log, self.measure, self.trace) = (log, measure, trace)
    }

    /// Passes on events until they end.
    @concurrent
    func run(_ events: some AsyncSequence<ActivityEvent, Never>) async {
        var spans = ActivitySpans()
        for await event in events {
            log?(event)
            let span = spans.take(event)
            if let measure {
                for measurement in ActivityMeasurement.measurements(in: event, ending: span) { measure(measurement) }
            }
            if let span { trace?(span) }
        }
    }
}
