import Foundation
public import Observation
import SiestaCore

/// An object that signs a user in to one or more services, and keeps and refreshes the user's credential.
///
/// ``Service/authenticate(with:alsoAt:)`` creates a session for a single service. To share a session between several
/// services, create the session yourself:
///
///     let session = UserSession(OAuth2(tokenURL: tokenURL, clientID: "app", credentials: .file(at: file)))
///     users.authenticate(sharing: session)
///     photos.authenticate(sharing: session)
///
/// Requests of these services carry the credential of the session. Each service sends the credential only to URLs below
/// its own base URL, and to the origins that were passed to ``Service/authenticate(sharing:alsoAt:)``. All services
/// have the same user and the same credential. One refresh renews the credential for all of them. A session does not
/// keep its services in memory.
///
/// No log, description or error contains the credential. In the category `stateChanges`, the log contains the state of
/// the session, without the name of the principal.
///
/// ## Refreshes
///
/// The session refreshes a credential that is about to expire, or that the server has refused. A session never runs two
/// refreshes at the same time. All requests that need the credential wait for the running refresh. ``Request/cancel()``
/// ends the wait of one request. The refresh continues, because other requests may need it.
///
/// - **About to expire**: If the credential expires within the ``Authenticator/leeway``, the next request starts a
///   refresh and waits for it. If the refresh fails, the request uses the old credential, unless this credential has
///   expired.
/// - **Refused**: ``Authenticator/isRefusal(_:)`` decides which responses refuse the credential. A refused request
///   waits for the refresh and is then sent again. If another request has already obtained a new credential, the
///   refused request is sent again at once. These repetitions need no retry policy and do not count as retries. POST
///   requests are repeated, too, because the server has not carried out the refused request.
/// - **Refused again**: If the server also refuses the new credential, the request fails with status 401 and without a
///   cause, and the user stays signed in. A refused request is sent again only once, or twice if another request has
///   replaced the credential in the meantime.
/// - **Bodies**: A body that can be sent only once is not sent again. The request fails with status 401, and the
///   session starts a refresh for the next request. The same applies to a POST or PATCH request without an
///   `Idempotency-Key` if a redirect with the status 301, 302 or 303 has led to the refused request.
/// - **Limit**: By default, a session starts at most 5 refreshes in 30 seconds, including failed ones. Requests that
///   need another refresh wait until the limit allows it. A sign-in resets the count. ``Authenticator/refreshLimit``
///   changes the limit. If a limit delays a refresh by more than a minute, requests fail with
///   ``RequestError/Code/tooManyRefreshes`` instead of waiting.
/// - **Time limit**: If a request has waited for 60 seconds, the session cancels the task of the refresh, and treats
///   the request as if the refresh had failed. No other refresh begins before the cancelled refresh has ended.
/// - **Failed**: If a refresh fails with an error other than ``SessionExpired``, the waiting requests fail with
///   ``RequestError/Code/credentialNotRefreshed``, unless they can use the old credential (see **About to expire**).
///   The user stays signed in, and the next request that needs a new credential starts another refresh. Neither a retry
///   policy nor ``Configuration/offline`` repeats a failed refresh.
/// - **Expired**: If a refresh throws ``SessionExpired``, or if a refused credential cannot be refreshed, the session
///   expires; see ``UserSession/State/expired(_:)``.
///
/// ## Tests
///
/// A session that ``Service/authenticate(with:alsoAt:)`` creates uses the clock of its service. If this clock is a
/// `TestClock` of the module `SiestaTesting`, the test controls when a credential expires. To give a shared session
/// such a clock, create the session inside `clock.whileCurrent`.
///
/// ```swift
/// @MainActor @Test func `A refused token is renewed`() async throws {
///     let network = StubNetwork()
///     network.answer(.get, "/v1/users/42", with: .response(401), .json(#"{"id": 42, "name": "Ada"}"#))
///     let api = MyAPI(networking: network)
///     api.authenticate(with: .bearer(refresh: { _, _ in Credential("t2") }))
///     try await api.signIn("ada", with: Credential("t1"))
///     #expect(try await api.user(42).get().name == "Ada")
///     #expect(network.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == ["Bearer t1", "Bearer t2"])
/// }
/// ```
@MainActor
public final class UserSession {
    let authenticator: any Authenticator
    let clock: SiestaClock
    // Its changes run no other code. Therefore the exclusivity of an access is not checked.
    @exclusivity(unchecked) private(set) var rules = SessionRules()
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

    /// Creates a session, and reads the saved credential from the authenticator's store.
    ///
    /// The store is read on the main thread, before this initializer returns. If the store cannot be read, nobody is
    /// signed in, and the reason is logged.
    public init(_ authenticator: any Authenticator) {
        self.authenticator = (authenticator as? StandardAuthenticator)?.base ?? authenticator
        clock = .current
        vault = CredentialVault(authenticator.credentials)
        guard let stored = vault.load(), !stored.principal.isEmpty else { return }
        rules.signIn(stored.principal, stored.credential)
    }

    // MARK: State

    /// The current state of the session. Observation tracks this property.
    public var state: State {
        MainQueue.checkInDebug("UserSession.state")
        registrar.access(self, keyPath: \.state)
        return rules.state
    }

    /// The name of the user who is signed in, or whose credential has expired; nil if the session is signed out.
    ///
    /// Observation tracks this property. The name does not change while the session refreshes the credential, or when
    /// the session expires.
    public var principal: String? {
        registrar.access(self, keyPath: \.principal)
        return rules.principal
    }

    /// A sequence of the current state and later states. A slow loop may miss some states, but always receives the
    /// latest one. The sequence never ends. To end a loop, cancel its task.
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

    /// True if the user must sign in again.
    var hasExpired: Bool { if case .expired = rules.state { true } else { false } }

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

    /// Calls `action` when a request may be sent: at once, or after a refresh. Only one wait of a request is possible.
    ///
    /// - Parameter refused: the number of the credential that the server has refused in this request.
    func authorize(
        _ request: AnyObject, after refused: Int32? = nil, over network: @autoclosure () -> AuthenticationNetwork,
        _ action: @escaping (Permission) -> Void
    ) {
        let (validity, now, number) = (validity, clock.monotonicTime, rules.holder?.number)
        let step = change { (rules: inout SessionRules) -> SessionRules.Step? in
            // Code of the app that is told of the change may have replaced the credential whose validity is known.
            guard rules.holder?.number == number else { return nil }
            return refused.map { rules.step(afterRefusalOf: $0, validity, at: now) } ?? rules.step(validity, at: now)
        }
        guard let step else { return authorize(request, after: refused, over: network(), action) }
        switch step {
        case .sendWithout: action(.send(nil))
        case .send: action(.send(rules.holder))
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
        let now = Date(timeIntervalSinceReferenceDate: clock.wallTime)
        // Even if the authenticator defers the refresh of a short-lived credential, the credential ends at its
        // expiration date.
        let hasEnded =
            authenticator.expires(credential, by: now) || credential.expirationDate.map { $0 <= now } ?? false
        return SessionRules.Validity(
            expiresSoon: !isTrusted && authenticator.expires(credential, by: soon), isExpired: !isTrusted && hasEnded,
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
                    wait.action(.send(rules.holder))
                }
            }
        }
    }
}

extension UserSession: nonisolated Observable {}

extension UserSession: nonisolated CustomReflectable {
    /// An empty mirror, so that `dump` shows only the type.
    public nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}
