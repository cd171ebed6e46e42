/// A measured value, for a metrics system.
///
/// Names and attributes follow the semantic conventions of OpenTelemetry where such conventions exist.
public struct ActivityMeasurement: Sendable {
    /// The name of the measured value, for example `http.client.request.duration`.
    public let name: String

    /// The measured value, in the unit that ``unit`` names.
    public let value: Double

    /// The unit: `s` for seconds, `By` for bytes, `1` for a count.
    public let unit: String

    /// The attributes of the value, such as the method and the status of the request. URLs are omitted, to keep the
    /// number of distinct attribute sets small.
    public let attributes: [String: String]
}

extension ActivityMeasurement {
    /// Returns the measurements that an event contains.
    ///
    /// - Parameter span: the span that ends with the event; nil if none does.
    static func measurements(in event: ActivityEvent, ending span: ActivitySpan?) -> [ActivityMeasurement] {
        switch event.kind {
        case .requestEnded(let end):
            guard let span else { return [] }
            var attributes = span.attributes
            attributes["url.full"] = nil
            var found = [
                ActivityMeasurement(
                    name: "http.client.request.duration", value: span.duration, unit: "s", attributes: attributes)
            ]
            guard let metrics = end.metrics else { return found }
            for (name, size) in [("request", metrics.requestBytes), ("response", metrics.responseBytes)] {
                found.append(
                    ActivityMeasurement(
                        name: "http.client.\(name).body.size", value: Double(size), unit: "By", attributes: attributes))
            }
            return found
        case .cache(let operation, let stage, _):
            return [
                ActivityMeasurement(
                    name: "siesta.cache.operations", value: 1, unit: "1",
                    attributes: ["operation": "\(operation)", "stage": stage ?? "all"])
            ]
        case .transformed(let stage, _, let duration, _):
            return [
                ActivityMeasurement(
                    name: "siesta.transformation.duration", value: duration, unit: "s", attributes: ["stage": stage])
            ]
        case .evicted: return [ActivityMeasurement(name: "siesta.evictions", value: 1, unit: "1", attributes: [:])]
        default: return []
        }
    }
}
