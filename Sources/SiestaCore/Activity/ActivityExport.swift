/// Three closures that pass the activity of a service to a log, to a metrics system and to a distributed trace.
///
/// Use these closures to connect a service to swift-log, swift-metrics and swift-distributed-tracing in a few lines;
/// see <doc:WhyDidItLoad>. Each closure is optional. The closures are called one at a time, in the order of the events,
/// on any thread except the main thread.
public struct ActivityExport: Sendable {
    private let log: (@Sendable (ActivityEvent) -> Void)?
    private let measure: (@Sendable (ActivityMeasurement) -> Void)?
    private let trace: (@Sendable (ActivitySpan) -> Void)?

    /// Creates an export with the given closures. Pass nil for output that you do not need.
    ///
    /// - Parameters:
    ///   - log: A closure that receives each event.
    ///   - measure: A closure that receives each measurement.
    ///   - trace: A closure that receives a span for each request, after the request has ended.
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
