import Foundation
import SiestaCore

/// The rules of a session: which credential a request carries, when the credential is refreshed, and which requests are
/// sent again. Pure.
///
/// Times are monotonic, in seconds.
struct SessionRules {
    /// The longest time for which a request waits for the limit of refreshes, in seconds.
    static let longestDelay: TimeInterval = 60
    /// The maximum number of times that one request is sent again because its credential was refused. The first
    /// repetition may carry a credential that other requests have made stale in the meantime.
    static let repetitionLimit = 2

    /// The principal and the current credential. A class, so that a request that reads it copies no texts.
    final class Holder: Sendable {
        let principal: String
        let credential: Credential
        /// The number of the credential. A credential that replaces another has a greater number.
        let number: Int32
        /// The time before which the credential counts as valid, whatever its expiration; see ``Authenticator/leeway``.
        let trustedUntil: TimeInterval

        fileprivate init(_ principal: String, _ credential: Credential, number: Int32, trustedUntil: TimeInterval = 0) {
            (self.principal, self.credential) = (principal, credential)
            (self.number, self.trustedUntil) = (number, trustedUntil)
        }
    }

    private enum Phase {
        case ready
        /// - Parameter isRefused: true if the server has refused the credential; false if it only expires soon.
        case refreshing(isRefused: Bool)
        /// The credential needs a refresh, which the limit allows at this time.
        case held(isRefused: Bool, until: TimeInterval)
        case expired(SessionExpired)
    }

    /// The facts about a credential that only its authenticator knows.
    struct Validity {
        /// True if the credential expires within the leeway.
        var expiresSoon = false
        var isExpired = false
        var canBeRefreshed = false
        var limit = RefreshLimit.standard
    }

    /// The step of a request that needs the credential.
    enum Step: Equatable {
        /// The request is sent without a credential, because nobody is signed in, or is signed in any more.
        case sendWithout
        /// The request is sent with the current credential.
        case send
        /// The request waits for a refresh that starts now.
        case refresh
        /// The request waits for the refresh that is running, or that is due later.
        case wait
        /// The request waits for a refresh that starts at this time.
        case hold(until: TimeInterval)
        case fail(Obstacle)
    }

    /// The reason why a request fails without being sent.
    enum Obstacle: Equatable {
        case expired(SessionExpired)
        /// The credential was refreshed too often. The next refresh is allowed at this time, which is too late.
        case limit(until: TimeInterval)
    }

    private(set) var holder: Holder?
    private var phase = Phase.ready
    private var lastNumber: Int32 = 0
    /// The times at which the last refreshes began.
    private var refreshTimes: [TimeInterval] = []

    var principal: String? { holder?.principal }

    var isRefreshing: Bool {
        if case .refreshing = phase { true } else { false }
    }

    /// The time at which the next refresh begins if the limit holds it back.
    var heldUntil: TimeInterval? {
        if case .held(_, let time) = phase { time } else { nil }
    }

    /// True if the credential can be used now, unless it expires.
    var isReady: Bool {
        if case .ready = phase { holder != nil } else { false }
    }

    var state: UserSession.State {
        guard let holder else { return .signedOut }
        return switch phase {
        case .ready, .held: .signedIn(holder.principal)
        case .refreshing: .refreshing
        case .expired(let reason): .expired(reason)
        }
    }

    /// The state without the principal, for the log.
    var stateName: String {
        switch state {
        case .signedOut: "signed out"
        case .signedIn: "signed in"
        case .refreshing: "refreshing its credential"
        case .expired: "expired"
        }
    }

    // MARK: Signing in and out

    mutating func signIn(_ principal: String, _ credential: Credential) {
        lastNumber &+= 1
        holder = Holder(principal, credential, number: lastNumber)
        phase = .ready
        refreshTimes = []
    }

    mutating func signOut() {
        holder = nil
        phase = .ready
        refreshTimes = []
    }

    // MARK: Requests

    /// Returns the step of a request that has not been sent.
    mutating func step(_ validity: Validity, at now: TimeInterval) -> Step {
        guard holder != nil else { return .sendWithout }
        switch phase {
        case .expired(let reason): return .fail(.expired(reason))
        case .refreshing: return .wait
        case .held(let isRefused, _): return isRefused || validity.isExpired ? .wait : .send
        case .ready:
            guard validity.expiresSoon, validity.canBeRefreshed else { return .send }
            if !validity.isExpired, validity.limit.next(after: &refreshTimes, at: now) > now { return .send }
            return beginRefresh(isRefused: false, validity.limit, at: now)
        }
    }

    /// Returns the step of a request whose credential was refused.
    mutating func step(afterRefusalOf number: Int32, _ validity: Validity, at now: TimeInterval) -> Step {
        guard let holder else { return .sendWithout }
        switch phase {
        case .expired(let reason): return .fail(.expired(reason))
        case .refreshing:
            if number == holder.number { phase = .refreshing(isRefused: true) }
            return .wait
        case .held(_, let time):
            if number == holder.number { phase = .held(isRefused: true, until: time) }
            return .wait
        case .ready:
            guard number == holder.number else { return .send }
            guard validity.canBeRefreshed else {
                let reason = SessionExpired()
                phase = .expired(reason)
                return .fail(.expired(reason))
            }
            return beginRefresh(isRefused: true, validity.limit, at: now)
        }
    }

    private mutating func beginRefresh(isRefused: Bool, _ limit: RefreshLimit, at now: TimeInterval) -> Step {
        let time = limit.next(after: &refreshTimes, at: now)
        guard time - now <= Self.longestDelay else { return .fail(.limit(until: time)) }
        guard time <= now else {
            phase = .held(isRefused: isRefused, until: time)
            return .hold(until: time)
        }
        refreshTimes.append(now)
        phase = .refreshing(isRefused: isRefused)
        return .refresh
    }

    /// Begins the refresh of the credential with this number that the limit has held back. Returns false if it is not due.
    mutating func beginHeldRefresh(of number: Int32, at now: TimeInterval) -> Bool {
        guard case .held(let isRefused, _) = phase, holder?.number == number else { return false }
        refreshTimes.append(now)
        phase = .refreshing(isRefused: isRefused)
        return true
    }

    // MARK: Refreshes

    /// The result of a refresh.
    enum Outcome {
        /// - Parameter until: see ``Holder/trustedUntil``.
        case renewed(Credential, until: TimeInterval)
        case expired(SessionExpired)
        case failed
    }

    /// True if the credential may be used although it could not be refreshed: the server has not refused it.
    ///
    /// - Parameter isExpired: true if the credential has expired.
    func mayUseOld(isExpired: Bool) -> Bool {
        switch phase {
        case .ready: !isExpired
        case .refreshing(let isRefused), .held(let isRefused, _): !isRefused && !isExpired
        case .expired: false
        }
    }

    /// Ends the refresh of the credential with this number. Returns false if another credential has replaced it.
    mutating func endRefresh(of number: Int32, _ outcome: Outcome) -> Bool {
        guard isRefreshing, let holder, holder.number == number else { return false }
        switch outcome {
        case .renewed(let credential, let time):
            lastNumber &+= 1
            self.holder = Holder(holder.principal, credential, number: lastNumber, trustedUntil: time)
            phase = .ready
        case .expired(let reason): phase = .expired(reason)
        case .failed: phase = .ready
        }
        return true
    }
}
