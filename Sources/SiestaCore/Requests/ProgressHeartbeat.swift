import Foundation

/// Reports the progress of all running requests with one timer. The timer exists only while a request reports progress.
@MainActor
package final class ProgressHeartbeat {
    private struct Member {
        let request: LiveRequest
        var nextReport: TimeInterval
    }

    let clock: SiestaClock
    // A member that is replaced or removed is still referenced. Therefore no other code runs during a change.
    @exclusivity(unchecked) private var members: [Member] = []
    @exclusivity(unchecked) private var nextBeat: TimeInterval?

    nonisolated init(clock: SiestaClock) {
        self.clock = clock
    }

    private static let system = ProgressHeartbeat(clock: .system)

    /// Returns the heartbeat that all users of the system clock share. Returns a new heartbeat for another clock.
    static func shared(for clock: SiestaClock) -> ProgressHeartbeat {
        clock === SiestaClock.system ? system : ProgressHeartbeat(clock: clock)
    }

    func add(_ request: LiveRequest) {
        // The interval comes from code of the app, which may complete any request, or add this request to the
        // heartbeat.
        let nextReport = clock.monotonicTime + interval(of: request)
        guard request.heartbeatSlot < 0, request.state == .inProgress else { return }
        request.heartbeatSlot = Int32(members.count)
        members.append(Member(request: request, nextReport: nextReport))
        beat(at: nextReport)
    }

    /// Removes the request, in constant time: the last member moves to its slot.
    func remove(_ request: LiveRequest) {
        let slot = request.heartbeatSlot
        guard slot >= 0 else { return }
        request.heartbeatSlot = -1
        let last = members.removeLast()
        guard last.request !== request else { return }
        members[Int(slot)] = last
        last.request.heartbeatSlot = slot
    }

    private func beat(at time: TimeInterval) {
        if let nextBeat, nextBeat <= time { return }
        nextBeat = time
        clock.scheduleReport(after: time - clock.monotonicTime) { [weak self] in self?.beat(planned: time) }
    }

    private func beat(planned: TimeInterval) {
        guard nextBeat == planned else { return }  // Another timer has replaced this one.
        nextBeat = nil
        let now = max(clock.monotonicTime, planned)  // Timers may run on another clock, and be early.
        let due = members.filter { $0.nextReport <= now + 0.000_5 }.map(\.request)
        for request in due {
            let nextReport = now + interval(of: request)  // Code of the app, which may complete any request.
            if request.heartbeatSlot >= 0 { members[Int(request.heartbeatSlot)].nextReport = nextReport }
        }
        if let next = members.lazy.map(\.nextReport).min() { beat(at: next) }
        for request in due { request.reportProgress() }
    }

    private func interval(of request: LiveRequest) -> TimeInterval {
        let interval = request.progressReportingInterval
        return interval.isFinite ? max(0.001, interval) : 3600
    }
}
