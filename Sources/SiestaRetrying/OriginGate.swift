import Foundation
import HTTPRules
import SiestaCore

/// Admits the requests with pacing to an origin, and keeps those that wait.
@MainActor
final class OriginGate {
    /// A request that needs the permission of its origin before it is sent.
    @MainActor
    final class Ticket {
        let pacing: Pacing
        let priority: RequestPriority
        private var answer: ((Answer) -> Void)?
        /// The last reason for which the request waits.
        private var hold: OriginHealth.Hold?

        enum Answer {
            case send(isProbe: Bool)
            case hold(OriginHealth.Hold)
            case refuse(until: TimeInterval)
        }

        /// - Parameter answer: Is called with each new `.hold`, and at last with `.send` or `.refuse`.
        init(pacing: Pacing, priority: RequestPriority, answer: @escaping (Answer) -> Void) {
            (self.pacing, self.priority, self.answer) = (pacing, priority, answer)
        }

        /// True if the request still waits.
        fileprivate var isWaiting: Bool { answer != nil }

        /// Gives the request up. The ticket needs no answer any more.
        fileprivate func cancel() {
            extendLifetime(answer.take())
        }

        fileprivate func hold(_ hold: OriginHealth.Hold) {
            guard self.hold?.isNearly(hold) != true else { return }
            self.hold = hold
            answer?(.hold(hold))
        }

        fileprivate func end(_ last: Answer) {
            answer.take()?(last)
        }
    }

    private(set) var health = OriginHealth()
    private let clock: SiestaClock
    private var queue = PacingQueue<Ticket>()
    private var timer: TimeInterval?
    private var isAdvancing = false
    /// The tickets that have not been told yet that they have to wait.
    private var new: [Ticket] = []

    init(clock: SiestaClock) {
        self.clock = clock
    }

    var isForgettable: Bool { queue.isEmpty && health.isForgettable(at: clock.monotonicTime) }

    /// Sends a request as soon as its pacing permits: at once, or later.
    func enter(_ ticket: Ticket) {
        queue.append(ticket, priority: ticket.priority, at: clock.monotonicTime)
        new.append(ticket)
        advance()
    }

    /// Gives up a request that waits. The next request may have other limits.
    func leave(_ ticket: Ticket) {
        ticket.cancel()
        if let first = queue.first, !first.isWaiting { advanceSoon() }
    }

    /// Records the end of a request that was sent, and sends the next one in the next turn of the main queue.
    func end(_ outcome: OriginHealth.Outcome, ofProbe isProbe: Bool, within pacing: Pacing) {
        health.end(outcome, ofProbe: isProbe, at: clock.monotonicTime, within: pacing)
        advanceSoon()
    }

    /// Records that the probe of a circuit breaker has succeeded, although its request has not ended.
    func closeCircuit() {
        health.closeCircuit()
    }

    func close(for seconds: TimeInterval) {
        health.close(until: clock.monotonicTime + seconds)
    }

    /// Sends requests although the server has asked to wait.
    func reopen() {
        health.reopen()
        advanceSoon()
    }

    func noteRequest() {
        health.noteRequest(at: clock.monotonicTime)
    }

    func takeRetry() -> Bool { health.takeRetry(at: clock.monotonicTime) }

    /// Sends waiting requests in the next turn of the main queue.
    private func advanceSoon() {
        guard !queue.isEmpty else { return }
        MainQueue.async { self.clock.whileCurrent { self.advance() } }
    }

    /// Sends waiting requests until one has to wait. Sending runs code of the app, which may add requests.
    private func advance() {
        guard !isAdvancing else { return }
        isAdvancing = true
        defer { isAdvancing = false }
        while let next = queue.first {
            guard next.isWaiting else {
                _ = queue.removeFirst()
                continue
            }
            switch health.admit(at: clock.monotonicTime, within: next.pacing) {
            case .send:
                _ = queue.removeFirst()
                next.end(.send(isProbe: false))
            case .probe:
                _ = queue.removeFirst()
                next.end(.send(isProbe: true))
            case .refuse(let time):
                _ = queue.removeFirst()
                // In another turn of the main queue: the app may react with a new request, which is refused, too.
                MainQueue.async { next.end(.refuse(until: time)) }
            case .hold(let hold):
                wait(for: hold)
                next.hold(hold)
                for ticket in exchange(&new, with: []) where ticket !== next { ticket.hold(hold) }
                guard new.isEmpty else { continue }
                return
            }
        }
        new = []
    }

    private func wait(for hold: OriginHealth.Hold) {
        let time: TimeInterval
        switch hold {
        case .closed(let until), .rate(let until): time = until
        case .concurrency: return  // The end of a request is the next occasion.
        }
        if let timer, timer <= time { return }
        timer = time
        clock.schedule(after: time - clock.monotonicTime) { [weak self] in
            guard let self, self.timer == time else { return }
            self.timer = nil
            self.advance()
        }
    }
}

/// The origins to which requests with retries or pacing were sent. All services with the same clock share them.
@MainActor
final class Origins {
    private struct Weak {
        weak var origins: Origins?
    }

    private let clock: SiestaClock
    private var gates: [URLOrigin: OriginGate] = [:]
    private var sweepLimit = SweepLimit()

    private init(clock: SiestaClock) {
        self.clock = clock
    }

    private static let system = Origins(clock: .system)
    private static var others: [ObjectIdentifier: Weak] = [:]

    /// Returns the origins of a clock. They exist as long as something references them, and for the system clock always.
    static func shared(for clock: SiestaClock) -> Origins {
        guard clock !== SiestaClock.system else { return system }
        others = others.filter { $0.value.origins != nil }
        if let known = others[ObjectIdentifier(clock)]?.origins { return known }
        let new = Origins(clock: clock)  // References the clock, so that no other clock has its identity.
        others[ObjectIdentifier(clock)] = Weak(origins: new)
        return new
    }

    /// Returns the gate of a URL's origin.
    subscript(url: URL?) -> OriginGate {
        let origin = url.map { URLOrigin($0) } ?? URLOrigin(text: "")
        if let known = gates[origin] { return known }
        if sweepLimit.isReached(by: gates.count) {
            gates = gates.filter { !$0.value.isForgettable }
            sweepLimit.noteSweep(leaving: gates.count)
        }
        let new = OriginGate(clock: clock)
        gates[origin] = new
        return new
    }

    /// The state of all origins, for tools, by name.
    func all() -> [(name: String, health: OriginHealth)] {
        gates.map { ($0.description, $1.health) }.sorted { $0.0 < $1.0 }
    }

    /// Reopens all origins, because another user may have another quota.
    func reopen() {
        for gate in gates.values { gate.reopen() }
    }
}
