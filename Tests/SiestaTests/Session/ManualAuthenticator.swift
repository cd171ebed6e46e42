import Foundation
import Isolation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An authenticator whose refreshes end when a test says so.
final class ManualAuthenticator: Authenticator {
    typealias Refresh = CheckedContinuation<Credential, any Error>

    private struct State: Sendable {
        var open: [Refresh] = []
        var credentials: [Credential] = []
        var runningCount = 0
        var greatestRunningCount = 0
        var canRefresh = true
        var automatic: (@Sendable (Credential, AuthenticationNetwork) async throws -> Credential)?
        var revoked: [Credential] = []
    }

    private let state = Locked(State())
    let credentials: any CredentialStore

    init(credentials: any CredentialStore = .memory) {
        self.credentials = credentials
    }

    /// Whether credentials can be refreshed.
    var canRefresh: Bool {
        get { state.withLock(\.canRefresh) }
        set { state.withLock { $0.canRefresh = newValue } }
    }

    /// Carries out refreshes at once, if it is set.
    var automatic: (@Sendable (Credential, AuthenticationNetwork) async throws -> Credential)? {
        get { state.withLock(\.automatic) }
        set { state.withLock { $0.automatic = newValue } }
    }

    /// The credentials that were to be refreshed, in order.
    var refreshed: [Credential] { state.withLock(\.credentials) }
    var revoked: [Credential] { state.withLock(\.revoked) }
    var runningCount: Int { state.withLock(\.runningCount) }
    /// The greatest number of refreshes that ran at the same time.
    var greatestRunningCount: Int { state.withLock(\.greatestRunningCount) }
    var openCount: Int { state.withLock { $0.open.count } }

    func apply(_ credential: Credential, to request: inout URLRequest) {
        request.setValue("Bearer \(credential.secret)", forHTTPHeaderField: "Authorization")
    }

    func canRefresh(_ credential: Credential) -> Bool { canRefresh }

    func refresh(_ credential: Credential, over network: AuthenticationNetwork) async throws -> Credential {
        state.withLock { state in
            state.credentials.append(credential)
            state.runningCount += 1
            state.greatestRunningCount = max(state.greatestRunningCount, state.runningCount)
        }
        defer { state.withLock { $0.runningCount -= 1 } }
        if let automatic { return try await automatic(credential, network) }
        return try await withCheckedThrowingContinuation { refresh in
            state.withLock { $0.open.append(refresh) }
        }
    }

    func revoke(_ credential: Credential, over network: AuthenticationNetwork) async {
        state.withLock { $0.revoked.append(credential) }
    }

    /// Ends the first open refresh.
    func end(_ result: Result<Credential, any Error>) {
        let refresh = state.withLock { $0.open.isEmpty ? nil : $0.open.removeFirst() }
        refresh?.resume(with: result)
    }
}

/// A store in memory, for several sessions, that can fail.
final class TestCredentialStore: CredentialStore {
    struct Failure: Error {}

    private let content = Locked<StoredCredential?>(nil)
    private let fails = Locked(false)

    var stored: StoredCredential? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }

    var isBroken: Bool {
        get { fails.withLock { $0 } }
        set { fails.withLock { $0 = newValue } }
    }

    func load() throws -> StoredCredential? {
        if isBroken { throw Failure() }
        return stored
    }

    func save(_ new: StoredCredential?) throws {
        if isBroken { throw Failure() }
        stored = new
    }
}
