import Foundation
public import Observation
import SiestaCore

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
/// There are at most 5 refreshes in 30 seconds; ``Authenticator/refreshLimit`` is the option for this limit.
@MainActor
public final class Session {
    let authenticator: any Authenticator
    let clock: SiestaClock
    private(set) var rules = SessionRules()
    let vault: CredentialVault
    /// The number of sign-ins and sign-outs that the app has asked for.
    var intentions = 0
    var refresh: Task<Void, Never>?
    /// The number of the credential that is being refreshed; 0 if no refresh is running.
    var refreshedNumber: Int32 = 0
    var waits = CredentialWaits()
    /// The time at which the timer that ends waits fires; infinity if no such timer is running.
    var nextWaitEnd = TimeInterval.infinity
    private(set) var members: [WeakMember] = []
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
    func change<Result>(_ change: (inout SessionRules) -> Result) -> Result {
        var trial = rules
        _ = change(&trial)
        let differs = trial.state != rules.state || .named(trial.principal) != Principal.named(rules.principal)
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

    struct WeakMember {
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

    // MARK: Requests

    var use: Use? { rules.holder.map { Use(credential: $0.credential, number: $0.number) } }

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
        case .wait, .refresh, .hold:
            let start = max(now, rules.heldUntil ?? now)
            waits.add(request, isRefused: refused != nil, at: start, action)
            limitWait(from: start)
            // Code of the app that was told of the change may have signed the user out.
            guard rules.isRefreshing || rules.heldUntil != nil else { return release() }
            begin(step, over: network)
        }
    }

    /// Begins the refresh of a step, now or later.
    private func begin(_ step: SessionRules.Step, over network: () -> AuthenticationNetwork) {
        switch step {
        case .refresh: beginRefresh(over: network())
        case .hold(let time): holdRefresh(until: time, over: network())
        default: break
        }
    }

    /// True if no other credential has replaced that with this number.
    func isCurrent(_ number: Int32) -> Bool { rules.holder?.number == number }

    /// Begins a refresh because the server has refused the credential with this number. Nobody waits for it.
    func noteRefusal(of number: Int32, over network: @autoclosure () -> AuthenticationNetwork) {
        let (validity, now) = (validity, clock.monotonicTime)
        begin(change { $0.step(afterRefusalOf: number, validity, at: now) }, over: network)
    }

    /// True if the credential can be used without any wait. This is the usual case, and needs no closure.
    var isReady: Bool {
        guard let holder = rules.holder, rules.isReady else { return false }
        return !authenticator.expires(holder.credential, by: soon) || clock.monotonicTime < holder.trustedUntil
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

    var validity: SessionRules.Validity {
        guard let holder = rules.holder else { return SessionRules.Validity() }
        let (credential, isTrusted) = (holder.credential, clock.monotonicTime < holder.trustedUntil)
        return SessionRules.Validity(
            expiresSoon: !isTrusted && authenticator.expires(credential, by: soon),
            isExpired: !isTrusted
                && authenticator.expires(credential, by: Date(timeIntervalSinceReferenceDate: clock.wallTime)),
            canBeRefreshed: authenticator.canRefresh(credential), limit: authenticator.refreshLimit)
    }

    /// Lets all waiting requests go on after a change of the credential.
    ///
    /// - Parameter error: the error of the refresh, if it failed.
    /// - Parameter mayUseOld: true if requests that were not sent yet may use the old credential all the same.
    func release(_ error: RequestError? = nil, mayUseOld: Bool = false) {
        release(waits.removeAll(), error, mayUseOld: mayUseOld)
    }

    func release(_ waits: [CredentialWaits.Wait], _ error: RequestError?, mayUseOld: Bool) {
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
}

extension Session: nonisolated Observable {}

extension Session: nonisolated CustomReflectable {
    /// No children: `dump` shows only the type.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}
