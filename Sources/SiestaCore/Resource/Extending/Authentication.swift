package import Foundation
package import HTTPRules

/// The session of a service, as the core sees it: who is signed in, and which step adds the credential.
@MainActor
package protocol Authentication: AnyObject, Sendable {
    /// The principal who is signed in; nil if there is none.
    var currentPrincipal: String? { get }

    /// The step that adds the credential to exchanges.
    var step: any ExchangeStep { get }

    /// Returns true if the server has refused the credential that a request to a URL has carried. Any thread may call it.
    nonisolated func isRefusal(_ response: NetworkResponse, to url: URL?) -> Bool

    /// Returns true if a request failed because the session has no valid credential, and not because of the request.
    func isFailure(_ error: RequestError) -> Bool

    /// The fields that carry the credential, and the servers that receive it.
    nonisolated var scope: SecretScope { get }

    /// The principal whose credential is added to requests; nil if none is added.
    var sentPrincipal: String? { get }
}

/// Marks the requests that the refresh of a credential makes. They carry no credential, and wait for nothing.
@MainActor
package enum CredentialRefresh {
    private final class Mark: Sendable {
        @TaskLocal static var current: Mark?

        @MainActor var isRunning = true
    }

    /// The number of refreshes that are running in this process.
    private static var count = 0

    /// True if the caller runs in the task of a refresh. While no refresh is running, this costs no look-up of a task-local
    /// value.
    ///
    /// A task that a refresh has made may outlive it. Then it is a task like all others.
    static var isCurrent: Bool { count > 0 && Mark.current?.isRunning == true }

    /// Makes a task that refreshes a credential.
    ///
    /// - Parameter end: ends the refresh. It runs code of the app, whose requests are like all others.
    package static func task<Outcome>(
        _ work: @escaping @MainActor () async -> Outcome, then end: @escaping @MainActor (Outcome) -> Void
    ) -> Task<Void, Never> {
        let mark = Mark()
        count += 1
        return Mark.$current.withValue(mark) {
            Task {
                let outcome = await work()
                count -= 1
                mark.isRunning = false
                // A request that is made in a cancelled task is cancelled.
                if Task.isCancelled { await Task { end(outcome) }.value } else { end(outcome) }
            }
        }
    }
}

extension ResourceContext {
    /// The principal who is signed in; nil if there is none.
    package var principal: Principal? { .named(authentication?.currentPrincipal) }

    /// True if another user made a request, or nobody, or if nobody is signed in any more. Then it must not be sent with
    /// the credential of the present user, who did not make it.
    package func isFormer(_ maker: Principal?) -> Bool { maker != principal }

    /// True if the session of a user has ended since. The user who has made a request may have signed in again.
    package func hasSessionEnded(since made: WipeCount) -> Bool { made < lastSessionEnd }

    /// Notes that the session of a user ends.
    package func noteSessionEnd() { lastSessionEnd = .advance() }
}

extension Resource {
    /// True if the resource belongs to the principal of a session.
    package var isPersonal: Bool { resolvedConfiguration(for: .get).configuration.isPersonal }

    /// Returns the principal of the session to which the resource belongs; nil if it belongs to no session.
    package var sessionPrincipal: (@MainActor () -> String?)? {
        guard let authentication = context.authentication, isPersonal else { return nil }
        return { authentication.currentPrincipal }
    }
}

extension Configuration {
    /// True if the resource belongs to the signed-in user of a ``UserSession``. The default is true. Set it to false if
    /// the resource is the same for all users.
    ///
    /// When the user signs out or another user signs in, a resource that is not personal keeps its data, and its
    /// requests and polls continue. All users share the cache entries of such a resource. Its requests carry the
    /// credential of the signed-in user. As for other resources, the session refreshes the credential after a 401. If
    /// the session has expired, the requests are sent without a credential. To log in, use a service without a session:
    /// its requests never carry a credential.
    public var isPersonal: Bool {
        get { self[IsPersonalKey.self] }
        set { self[IsPersonalKey.self] = newValue }
    }
}

private struct IsPersonalKey: ConfigurationKey { static let defaultValue = true }
