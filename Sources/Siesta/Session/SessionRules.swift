import Foundation

/// The rules of a session: which credential a request carries, when the credential is refreshed, and which requests are
/// sent again. Pure.
///
/// Times are monotonic, in seconds.
struct SessionRules {
    /// The maximum number of refreshes in ``refreshPeriod``.
    static let refreshLimit = 5
    /// The period in which refreshes are counted, in seconds.
    static let refreshPeriod: TimeInterval = 30
    /// The maximum number of times that one request is sent again because its credential was refused. The first
    /// repetition may carry a credential that other requests have made stale in the meantime.
    static let repetitionLimit = 2

    /// The principal and the current credential.
    struct Holder {
        let principal: String
        fileprivate(set) var credential: Credential
        /// The number of the credential. A credential that replaces another has a greater number.
        fileprivate(set) var number: Int32
    }

    private enum Phase {
        case ready
        /// - Parameter isRefused: true if the server has refused the credential; false if it only expires soon.
        case refreshing(isRefused: Bool)
        case expired(SessionExpired)
    }

    /// The facts about a credential that only its authenticator knows.
    struct Validity {
        /// True if the credential expires within the leeway.
        var expiresSoon = false
        var isExpired = false
        var canBeRefreshed = false
    }

    /// The step of a request that needs the credential.
    enum Step: Equatable {
        /// The request is sent without a credential, because nobody is signed in.
        case sendWithout
        /// The request is sent with the current credential.
        case send
        /// The request waits for a refresh that starts now.
        case refresh
        /// The request waits for the refresh that is running.
        case wait
        case fail(Obstacle)
    }

    /// The reason for which a request fails without being sent.
    enum Obstacle: Equatable {
        case expired(SessionExpired)
        /// The credential was refreshed too often. The next refresh is allowed at this time.
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

    /// True if the credential can be used now, unless it expires.
    var isReady: Bool {
        if case .ready = phase { holder != nil } else { false }
    }

    var state: Session.State {
        guard let holder else { return .signedOut }
        return switch phase {
        case .ready: .signedIn(holder.principal)
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
        holder = Holder(principal: principal, credential: credential, number: lastNumber)
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
        case .ready:
            guard validity.expiresSoon, validity.canBeRefreshed else { return .send }
            let step = beginRefresh(isRefused: false, at: now)
            if case .fail = step, !validity.isExpired { return .send }
            return step
        }
    }

    /// Returns the step of a request whose credential was refused.
    mutating func step(afterRefusalOf number: Int32, _ validity: Validity, at now: TimeInterval) -> Step {
        guard let holder else { return .fail(.expired(SessionExpired())) }
        switch phase {
        case .expired(let reason): return .fail(.expired(reason))
        case .refreshing:
            if number == holder.number { phase = .refreshing(isRefused: true) }
            return .wait
        case .ready:
            guard number == holder.number else { return .send }
            guard validity.canBeRefreshed else {
                let reason = SessionExpired()
                phase = .expired(reason)
                return .fail(.expired(reason))
            }
            return beginRefresh(isRefused: true, at: now)
        }
    }

    private mutating func beginRefresh(isRefused: Bool, at now: TimeInterval) -> Step {
        refreshTimes.removeAll { $0 <= now - Self.refreshPeriod }
        guard refreshTimes.count < Self.refreshLimit else {
            return .fail(.limit(until: refreshTimes[0] + Self.refreshPeriod))
        }
        refreshTimes.append(now)
        phase = .refreshing(isRefused: isRefused)
        return .refresh
    }

    // MARK: Refreshes

    /// The result of a refresh.
    enum Outcome {
        case renewed(Credential)
        case expired(SessionExpired)
        case failed
    }

    /// True if the credential may be used although it could not be refreshed: the server has not refused it.
    ///
    /// - Parameter isExpired: true if the credential has expired.
    func mayUseOld(isExpired: Bool) -> Bool {
        switch phase {
        case .ready: !isExpired
        case .refreshing(let isRefused): !isRefused && !isExpired
        case .expired: false
        }
    }

    /// Ends the refresh of the credential with this number. Returns false if another credential has replaced it.
    mutating func endRefresh(of number: Int32, _ outcome: Outcome) -> Bool {
        guard isRefreshing, holder?.number == number else { return false }
        switch outcome {
        case .renewed(let credential):
            lastNumber &+= 1
            holder?.credential = credential
            holder?.number = lastNumber
            phase = .ready
        case .expired(let reason): phase = .expired(reason)
        case .failed: phase = .ready
        }
        return true
    }
}

extension String? {
    /// Returns true if both are the same name of a user, byte for byte, or if both are nil.
    ///
    /// `==` treats names as equal if they have the same characters in different Unicode forms. A server may treat them
    /// as two users.
    func isSameName(as other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.utf8.elementsEqual(other.utf8)
    }
}
