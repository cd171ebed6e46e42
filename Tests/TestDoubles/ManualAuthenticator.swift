import Foundation
import Isolation
import SiestaCore
package import SiestaSessions

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// An authenticator whose refreshes end when a test says so.
package final class ManualAuthenticator: Authenticator {
    package typealias Refresh = CheckedContinuation<Credential, any Error>

    private struct State: Sendable {
        package var open: [Refresh] = []
        package var credentials: [Credential] = []
        package var runningCount = 0
        package var greatestRunningCount = 0
        package var canRefresh = true
        package var automatic: (@Sendable (Credential, AuthenticationNetwork) async throws -> Credential)?
        package var revoked: [Credential] = []
    }

    private let state = Locked(State())
    package let credentials: any CredentialStore

    package init(credentials: any CredentialStore = .memory) {
        self.credentials = credentials
    }

    /// Whether credentials can be refreshed.
    package var canRefresh: Bool {
        get { state.withLock(\.canRefresh) }
        set { state.withLock { $0.canRefresh = newValue } }
    }

    /// Carries out refreshes at once, if it is set.
    package var automatic: (@Sendable (Credential, AuthenticationNetwork) async throws -> Credential)? {
        get { state.withLock(\.automatic) }
        set { state.withLock { $0.automatic = newValue } }
    }

    /// The credentials that were to be refreshed, in order.
    package var refreshed: [Credential] { state.withLock(\.credentials) }
    package var revoked: [Credential] { state.withLock(\.revoked) }
    package var runningCount: Int { state.withLock(\.runningCount) }
    /// The greatest number of refreshes that ran at the same time.
    package var greatestRunningCount: Int { state.withLock(\.greatestRunningCount) }
    package var openCount: Int { state.withLock { $0.open.count } }

    package func apply(_ credential: Credential, to request: inout URLRequest) {
        request.setValue("Bearer \(credential.secret)", forHTTPHeaderField: "Authorization")
    }

    package func canRefresh(_ credential: Credential) -> Bool { canRefresh }

    package func refresh(_ credential: Credential, over network: AuthenticationNetwork) async throws -> Credential {
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

    package func revoke(_ credential: Credential, over network: AuthenticationNetwork) async {
        state.withLock { $0.revoked.append(credential) }
    }

    /// Ends the first open refresh.
    package func end(_ result: Result<Credential, any Error>) {
        let refresh = state.withLock { $0.open.isEmpty ? nil : $0.open.removeFirst() }
        refresh?.resume(with: result)
    }
}

/// A store in memory, for several sessions, that can fail.
package final class TestCredentialStore: CredentialStore {
    package struct Failure: Error {}

    private let content = Locked<StoredCredential?>(nil)
    private let fails = Locked(false)

    package init() {}

    package var stored: StoredCredential? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }

    package var isBroken: Bool {
        get { fails.withLock { $0 } }
        set { fails.withLock { $0 = newValue } }
    }

    package func load() throws -> StoredCredential? {
        if isBroken { throw Failure() }
        return stored
    }

    package func save(_ new: StoredCredential?) throws {
        if isBroken { throw Failure() }
        stored = new
    }
}
