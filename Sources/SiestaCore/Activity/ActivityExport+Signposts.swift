#if canImport(os)
import Isolation
import os

extension ActivityExport {
    /// Returns an export that emits signposts, which Instruments shows on a timeline.
    ///
    /// Each request is an interval named “request”, from the start to the end of the request. Every other event is a
    /// signpost with the name of its ``ActivityEvent/Kind``. Signposts contain no secrets. The export emits signposts
    /// only while a tool records them. A signpost may be a few microseconds later than its event, because the export
    /// reads the events on another thread.
    ///
    /// <!-- sample: not run, because only Apple platforms have signposts -->
    ///
    ///     service.export(.signposts())
    ///
    /// - Parameter subsystem: The subsystem under which tools list the signposts. The category is “Siesta”.
    public static func signposts(subsystem: String = "Siesta") -> ActivityExport {
        let signposts = ActivitySignposts(subsystem: subsystem)
        return ActivityExport(log: { signposts.emit($0) })
    }
}

/// Emits signposts for events. Knows which requests run.
private final class ActivitySignposts: Sendable {
    /// The maximum number of requests that are watched at once. The end of a request may be missed.
    private static let limit = 10_000

    private let signposter: OSSignposter
    /// The intervals of the running requests, by the number of the event of their start.
    private let intervals = Locked<[Int: OSSignpostID]>([:])

    init(subsystem: String) { signposter = OSSignposter(subsystem: subsystem, category: "Siesta") }

    func emit(_ event: ActivityEvent) {
        guard signposter.isEnabled else { return }
        let text = event.description
        switch event.kind {
        case .requestStarted:
            let interval = signposter.makeSignpostID()
            intervals.withLock { intervals in
                if intervals.count >= Self.limit { intervals = intervals.newestHalf }
                intervals[event.id] = interval
            }
            _ = signposter.beginInterval("request", id: interval, "\(text, privacy: .public)")
        case .requestEnded:
            let interval = event.cause.flatMap { start in intervals.withLock { $0.removeValue(forKey: start) } }
            guard let interval else { return }
            signposter.endInterval("request", .beginState(id: interval), "\(text, privacy: .public)")
        default: signposter.emitEvent(event.kind.label, "\(text, privacy: .public)")
        }
    }
}
#endif
