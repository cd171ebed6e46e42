import Foundation
public import Observation

/// The sign-in of one user to one or more services: the principal, the credential, and its refreshes.
///
/// A service makes a session of its own in ``Service/authenticate(with:alsoAt:)-(Authenticator,_)``. Create a session to
/// share it between several services:
///
///     let session = Session(OAuth2(tokenURL: tokenURL, clientID: "app", credentials: .file(at: file)))
///     users.authenticate(with: session)
///     photos.authenticate(with: session)
///
/// Requests of these services carry the credential of the session. If the credential is about to expire, or the server
/// has refused it, the session refreshes it once, and all requests that need it wait. Then they are sent, or sent again.
/// There are at most 5 refreshes in 30 seconds.
@MainActor
public final class Session {
    let authenticator: any Authenticator
    let clock: SiestaClock
    private var rules = SessionRules()
    private let vault: CredentialVault
    /// The number of sign-ins and sign-outs that the app has asked for.
    private var intentions = 0
    private var refresh: Task<Void, Never>?
    /// The number of the credential that is being refreshed; 0 if no refresh is running.
    private var refreshedNumber: Int32 = 0
    private var waits = CredentialWaits()
    /// True while the timer that ends waits is running.
    private var limitsWaits = false
    private var members: [WeakMember] = []
    private let registrar = ObservationRegistrar()
    private var streams: [Int: AsyncStream<State>.Continuation] = [:]
    private var streamCount = 0

    /// Creates a session, and reads the credential that the authenticator's store has kept.
    ///
    /// The store is read on the main thread, before this function returns. If it cannot be read, the user is signed out,
    /// and the reason is logged.
    public init(_ authenticator: any Authenticator) {
        self.authenticator = authenticator
        clock = .current
        vault = CredentialVault(authenticator.credentials)
        guard let stored = vault.load(), !stored.principal.isEmpty else { return }
        rules.signIn(stored.principal, stored.credential)
    }

    // MARK: State

    /// The current state. Observation tracks it.
    public var state: State {
        MainQueue.checkInDebug("Session.state")
        registrar.access(self, keyPath: \.state)
        return rules.state
    }

    /// The name of the user who is signed in, or whose credential has expired; nil if the session is signed out.
    /// Observation tracks it.
    public var principal: String? {
        registrar.access(self, keyPath: \.principal)
        return rules.principal
    }

    /// The current state, and then each new one. A loop that is slower than the changes misses states, but not the last.
    /// The sequence has no end; cancel its task.
    public var states: AsyncStream<State> {
        let number = streamCount
        streamCount += 1
        let (stream, continuation) = AsyncStream<State>.makeStream(bufferingPolicy: .bufferingNewest(1))
        continuation.yield(rules.state)
        streams[number] = continuation
        continuation.onTermination = { [weak self] _ in MainQueue.async { self?.streams[number] = nil } }
        return stream
    }

    /// Makes a change of the rules, and announces it.
    ///
    /// Code that is told about the change before it is made may cause another change. Therefore the change is first
    /// tried on a copy.
    private func change<Result>(_ change: (inout SessionRules) -> Result) -> Result {
        var trial = rules
        _ = change(&trial)
        let differs = trial.state != rules.state || !trial.principal.isSameName(as: rules.principal)
        if differs {
            registrar.willSet(self, keyPath: \.state)
            registrar.willSet(self, keyPath: \.principal)
        }
        let result = change(&rules)
        if differs {
            registrar.didSet(self, keyPath: \.state)
            registrar.didSet(self, keyPath: \.principal)
            for continuation in streams.values { continuation.yield(rules.state) }
            SiestaLog.log(.stateChanges, ["The session is", rules.stateName])
        }
        return result
    }

    // MARK: Services

    private struct WeakMember {
        weak var member: (any SessionMember)?
    }

    /// The principal, without tracking by Observation.
    var currentPrincipal: String? { rules.principal }

    /// Adds the resources of a service, which follow the principal from now on.
    func add(_ member: any SessionMember) {
        members.removeAll { $0.member == nil || $0.member === member }
        members.append(WeakMember(member: member))
    }

    /// Removes a service. Its requests no longer carry the credential.
    func remove(_ member: any SessionMember) {
        members.removeAll { $0.member == nil || $0.member === member }
    }

    // MARK: Signing in and out

    /// Signs a user in, and saves the credential in the store of the authenticator.
    ///
    /// If another user was signed in, this happens before the function returns: the requests of the old user are
    /// cancelled, and late responses are dropped; all resources are wiped; polls end; cookies are removed; caches use
    /// the partition of the new user. Resources with ``Configuration/isPersonal`` set to false keep their data.
    ///
    /// If nobody was signed in, cookies stay, because a log-in may have set them.
    ///
    /// If the same user signs in again, resources keep their data, and use the new credential.
    ///
    /// - Parameters:
    ///   - principal: The name of the user, the same in each session of this user: it is the key of stored data. It must
    ///     not be empty. Names with different bytes are different, also if they look the same.
    ///   - credential: The credential.
    /// - Throws: ``RequestError/Cause/InvalidCredential`` if the name is empty; the error of
    ///   ``Authenticator/validate(_:)``, or of the store if it cannot save the credential. Nothing has changed then. A
    ///   `CancellationError`, if another sign-in or sign-out was begun meanwhile.
    public func signIn(_ principal: String, with credential: Credential) async throws {
        if principal.isEmpty { throw RequestError.Cause.InvalidCredential("the name of the user is empty") }
        try authenticator.validate(credential)
        intentions += 1
        let intention = intentions
        if vault.isPersistent {
            try await save(StoredCredential(principal: principal, credential: credential), intention)
        }
        guard intention == intentions else { throw CancellationError() }
        vault.endSuccessions()
        let old = rules.principal
        refresh?.cancel()
        // Code of the app that is told of the change may begin another sign-in or sign-out, which wins.
        change { if intention == intentions { $0.signIn(principal, credential) } }
        guard intention == intentions else { throw CancellationError() }
        if !old.isSameName(as: principal) { leave(old) }
        release()
    }

    private func save(_ stored: StoredCredential, _ intention: Int) async throws {
        do {
            try await vault.save(stored)
        } catch {
            // The store may have the credential of an earlier sign-in, which this one has cancelled.
            if intention == intentions {
                await vault.restore(rules.holder.map { .init(principal: $0.principal, credential: $0.credential) })
            }
            throw error
        }
    }

    /// Signs the user out, and removes the data of the user from this device.
    ///
    /// Before the first suspension, the same happens as in ``signIn(_:with:)`` for another user. When the function
    /// returns, the credential, the user's part of the caches and the cookies are removed from the disk. Errors of the
    /// removal are logged. If nobody is signed in, it still removes what the store has saved.
    public func signOut() async {
        intentions += 1
        let intention = intentions
        let old = rules.holder
        refresh?.cancel()
        change { if intention == intentions { $0.signOut() } }
        let isLast = intention == intentions  // Code of the app that was told of the change may have begun a sign-in.
        if isLast {
            leave(old?.principal ?? "")
            release()
        }
        let members = members.compactMap(\.member)
        for member in members { if let old { member.removeStoredData(of: old.principal) } }
        if isLast { await vault.remove() }
        for member in members { await member.storedDataIsGone() }
        guard let old, let network = members.first?.authenticationNetwork else { return }
        let revocation = Task { [authenticator] in await authenticator.revoke(old.credential, over: network) }
        clock.schedule(after: Self.revocationTimeLimit) { revocation.cancel() }
        await revocation.value
    }

    /// Tells all services that the requests and the data of the last principal must end. Afterwards, only requests wait
    /// that belong to no principal.
    ///
    /// Each step is made for all services before the next one, because code of the app that is told by one service may
    /// use the others.
    private func leave(_ old: String?) {
        let changes = members.compactMap { $0.member?.principalChanged(from: old) }
        for step in PrincipalChangeStep.allCases { for change in changes { change.make(step) } }
    }

    /// The time after which the revocation of a credential is cancelled, in seconds. The user is signed out before.
    private static let revocationTimeLimit: TimeInterval = 5

    // MARK: Requests

    private var use: Use? { rules.holder.map { Use(credential: $0.credential, number: $0.number) } }

    /// Calls `action` when a request may be sent: at once, or after a refresh. Only one wait of a request is possible.
    ///
    /// - Parameter refused: the number of the credential that the server has refused in this request.
    func authorize(
        _ request: AnyObject, after refused: Int32? = nil, over network: @autoclosure () -> AuthenticationNetwork,
        _ action: @escaping (Permission) -> Void
    ) {
        let (validity, now) = (validity, clock.monotonicTime)
        let step = change { rules in
            refused.map { rules.step(afterRefusalOf: $0, validity, at: now) } ?? rules.step(validity, at: now)
        }
        switch step {
        case .sendWithout: action(.send(nil))
        case .send: action(.send(use))
        case .fail(let obstacle): action(.fail(error(obstacle)))
        case .wait, .refresh:
            waits.add(request, isRefused: refused != nil, at: now, action)
            limitWaits()
            // Code of the app that was told of the change may have signed the user out.
            guard rules.isRefreshing else { return release() }
            if step == .refresh { beginRefresh(over: network()) }
        }
    }

    /// True if no other credential has replaced that with this number.
    func isCurrent(_ number: Int32) -> Bool { rules.holder?.number == number }

    /// Begins a refresh because the server has refused the credential with this number. Nobody waits for it.
    func noteRefusal(of number: Int32, over network: @autoclosure () -> AuthenticationNetwork) {
        let (validity, now) = (validity, clock.monotonicTime)
        let step = change { $0.step(afterRefusalOf: number, validity, at: now) }
        if step == .refresh { beginRefresh(over: network()) }
    }

    /// The credential if it can be used without any wait. This is the usual case, and needs no closure.
    var readyUse: Use? {
        guard let holder = rules.holder, rules.isReady else { return nil }
        guard !authenticator.expires(holder.credential, by: soon) else { return nil }
        return Use(credential: holder.credential, number: holder.number)
    }

    /// Ends the wait of a request.
    func stopWaiting(_ request: AnyObject) {
        _ = waits.remove(request)
    }

    /// Ends the wait of a request, which fails as cancelled.
    func cancelWait(of request: AnyObject) {
        waits.remove(request)?.action(.fail(.cancelled()))
    }

    private var soon: Date { Date(timeIntervalSinceReferenceDate: clock.wallTime + authenticator.leeway) }

    private var validity: SessionRules.Validity {
        guard let credential = rules.holder?.credential else { return SessionRules.Validity() }
        return SessionRules.Validity(
            expiresSoon: authenticator.expires(credential, by: soon),
            isExpired: authenticator.expires(
                credential, by: Date(timeIntervalSinceReferenceDate: clock.wallTime)),
            canBeRefreshed: authenticator.canRefresh(credential))
    }

    /// Lets all waiting requests go on after a change of the credential.
    ///
    /// - Parameter error: the error of the refresh, if it failed.
    /// - Parameter mayUseOld: true if requests that were not sent yet may use the old credential all the same.
    private func release(_ error: RequestError? = nil, mayUseOld: Bool = false) {
        release(waits.removeAll(), error, mayUseOld: mayUseOld)
    }

    private func release(_ waits: [CredentialWaits.Wait], _ error: RequestError?, mayUseOld: Bool) {
        guard !waits.isEmpty else { return }
        clock.whileCurrent {
            for wait in waits {
                if let error, !mayUseOld || wait.isRefused {
                    wait.action(.fail(error))
                } else {
                    wait.action(.send(use))
                }
            }
        }
    }

    // MARK: Refreshing

    /// The longest time for which requests wait for a refresh, in seconds. Then the refresh is cancelled.
    private static let refreshTimeLimit: TimeInterval = 60

    /// The number of refreshes that are running in this process.
    private static var refreshCount = 0

    /// True if the caller runs in the task of a refresh. Requests that it makes are not authenticated, and do not wait
    /// for the refresh. While no refresh is running, this costs no look-up of a task-local value.
    ///
    /// A task that a refresh has made may outlive it. Then it is a task like all others.
    static var isRefreshing: Bool { refreshCount > 0 && RefreshMark.current?.isRunning == true }

    private func beginRefresh(over network: AuthenticationNetwork) {
        guard let holder = rules.holder, rules.isRefreshing, holder.number != refreshedNumber else { return }
        refreshedNumber = holder.number
        SiestaLog.log(.network, ["Refreshing the credential"])
        let (previous, authenticator, vault, generation) = (refresh, authenticator, vault, vault.generation)
        let mark = RefreshMark()
        Self.refreshCount += 1
        refresh = RefreshMark.$current.withValue(mark) {
            Task {
                defer {
                    Self.refreshCount -= 1
                    mark.isRunning = false
                }
                await previous?.value  // A cancelled refresh of another credential may still be running.
                let outcome: SessionRules.Outcome
                var failure: (any Error)?
                do {
                    try Task.checkCancellation()
                    let new = try await Self.renewed(holder, authenticator, vault, generation, over: network)
                    outcome = .renewed(new)
                } catch let error as SessionExpired {
                    (outcome, failure) = (.expired(error), error)
                } catch {
                    (outcome, failure) = (.failed, error)
                }
                self.endRefresh(of: holder, outcome, failure)
            }
        }
    }

    /// Returns a new credential, and saves it. If another process has refreshed the credential, returns that one.
    @concurrent
    private nonisolated static func renewed(
        _ holder: SessionRules.Holder, _ authenticator: any Authenticator, _ vault: CredentialVault,
        _ generation: Int, over network: AuthenticationNetwork
    ) async throws -> Credential {
        if let other = await vault.otherCredential(of: holder.principal) { return other }
        let new: Credential
        do {
            new = try await authenticator.refresh(holder.credential, over: network)
        } catch let error as SessionExpired {
            // Another process may have used the refresh token meanwhile.
            guard let other = await vault.otherCredential(of: holder.principal) else { throw error }
            return other
        }
        do {
            try await vault.saveSuccessor(
                StoredCredential(principal: holder.principal, credential: new), of: generation)
        } catch {
            SiestaLog.log(.network, ["The refreshed credential could not be saved:", error])
        }
        return new
    }

    private func endRefresh(
        of holder: SessionRules.Holder, _ outcome: SessionRules.Outcome, _ failure: (any Error)?
    ) {
        if refreshedNumber == holder.number { refreshedNumber = 0 }
        let mayUseOld = rules.mayUseOld(isExpired: validity.isExpired)
        guard change({ $0.endRefresh(of: holder.number, outcome) }) else { return }
        guard let failure else { return release() }
        SiestaLog.log(.network, ["The credential could not be refreshed:", failure])
        release(refreshError(failure), mayUseOld: mayUseOld && rules.isReady)
    }

    /// Starts the timer that ends waits, unless it is running.
    private func limitWaits() {
        guard !limitsWaits, let start = waits.start else { return }
        limitsWaits = true
        clock.schedule(after: start + Self.refreshTimeLimit - clock.monotonicTime) { [weak self] in
            self?.limitsWaits = false
            self?.endLongWaits()
        }
    }

    /// Fails the requests that have waited too long, and cancels the refresh.
    private func endLongWaits() {
        let late = waits.removeAll(until: clock.monotonicTime - Self.refreshTimeLimit + 0.001)
        if !late.isEmpty {
            refresh?.cancel()
            let mayUseOld = rules.mayUseOld(isExpired: validity.isExpired)
            release(late, refreshError(URLError(.timedOut)), mayUseOld: mayUseOld)
        }
        limitWaits()
    }

    private func refreshError(_ cause: any Error) -> RequestError {
        clock.whileCurrent {
            if let cause = cause as? SessionExpired { return error(.expired(cause)) }
            let cause = (cause as? RequestError)?.cause ?? cause
            return RequestError(
                userMessage: UserMessages.current.cannotRefreshCredential,
                cause: RequestError.Cause.CredentialNotRefreshed(cause))
        }
    }

    private func error(_ obstacle: SessionRules.Obstacle) -> RequestError {
        clock.whileCurrent {
            switch obstacle {
            case .expired(let reason): RequestError(userMessage: UserMessages.current.sessionExpired, cause: reason)
            case .limit(let time):
                RequestError(
                    userMessage: UserMessages.current.cannotRefreshCredential,
                    cause: RequestError.Cause.TooManyRefreshes(retryAfter: max(0, time - clock.monotonicTime)))
            }
        }
    }
}

/// Marks the task of a refresh, and the tasks that it makes.
@MainActor
private final class RefreshMark {
    @TaskLocal static var current: RefreshMark?

    var isRunning = true
}

extension Session: nonisolated Observable {}

extension Session: nonisolated CustomReflectable {
    /// No children: `dump` shows only the type.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}
