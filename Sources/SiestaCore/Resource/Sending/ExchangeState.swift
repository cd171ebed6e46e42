/// The rules of an ``Exchange``: which event is legal, which response counts, and which wait a ticket ends. Pure.
package struct ExchangeState {
    /// The reason why an exchange waits.
    package enum Wait: UInt8 {
        /// A retry is due later.
        case retry
        /// There is no network.
        case network
        /// The origin has not permitted the attempt yet.
        case origin
        /// The credential is being refreshed.
        case credential

        /// True if nothing happens before a timer is due, the network returns, or another request ends.
        var isForTimer: Bool { self != .credential }
    }

    private enum Phase: Equatable {
        case idle
        case preparing
        /// - Parameter next: the index of the step that is prepared after the wait.
        case waiting(Wait, next: UInt8)
        case sent
        case judging
        /// No response counts any more, and no wait continues.
        case stopped
        case ended
    }

    private var phase = Phase.idle
    /// The number of times that the request was sent, modulo 65 536. Responses to earlier attempts are ignored.
    private(set) var attempt: UInt16 = 0
    /// Distinguishes the waits, so that a ticket ends only its own.
    private(set) var waitNumber: UInt16 = 0

    var isPreparing: Bool { phase == .preparing }
    var isSent: Bool { phase == .sent }
    var isJudging: Bool { phase == .judging }
    var isEnded: Bool { phase == .ended }

    /// The reason why the exchange waits; nil if it does not wait.
    var wait: Wait? {
        if case .waiting(let wait, _) = phase { wait } else { nil }
    }

    /// Begins the preparation of the first attempt, or of another one after a response. Returns false if neither is
    /// possible.
    mutating func prepare() -> Bool {
        guard phase == .idle || phase == .judging else { return false }
        phase = .preparing
        return true
    }

    /// Returns the number of the attempt that is sent.
    mutating func send() -> UInt16 {
        attempt &+= 1
        phase = .sent
        return attempt
    }

    /// Returns true if the response to this attempt counts.
    mutating func receive(_ attempt: UInt16) -> Bool {
        guard phase == .sent, attempt == self.attempt else { return false }
        phase = .judging
        return true
    }

    /// Returns the number of a new wait.
    mutating func beginWait(_ wait: Wait, next: Int) -> UInt16 {
        waitNumber &+= 1
        phase = .waiting(wait, next: UInt8(next))
        return waitNumber
    }

    func isWaiting(_ number: UInt16) -> Bool { wait != nil && number == waitNumber }

    /// Replaces a wait by another one, which continues at the same step. Returns its number; nil if the wait has ended.
    mutating func replaceWait(_ number: UInt16, by wait: Wait) -> UInt16? {
        guard number == waitNumber, case .waiting(_, let next) = phase else { return nil }
        return beginWait(wait, next: Int(next))
    }

    /// Ends a wait. Returns the index of the step that is prepared next; nil if the wait has ended before.
    mutating func endWait(_ number: UInt16) -> Int? {
        guard number == waitNumber, case .waiting(_, let next) = phase else { return nil }
        phase = .preparing
        return Int(next)
    }

    /// Stops the exchange, which the client then ends. Returns false if it has been stopped or has ended before.
    mutating func stop() -> Bool {
        guard phase != .stopped, phase != .ended else { return false }
        phase = .stopped
        return true
    }

    /// Ends the exchange. Returns false if it has ended before.
    mutating func end() -> Bool {
        defer { phase = .ended }
        return phase != .ended
    }
}
