import SiestaCore

/// The resources of one service, which belong to the principal of a session.
@MainActor
protocol SessionMember: AnyObject {
    /// The network for the requests of an authenticator.
    var authenticationNetwork: AuthenticationNetwork { get }

    /// Drops the cookies of the last principal, and returns the change that ends its requests and removes its data. The
    /// session makes the steps of the change.
    ///
    /// - Parameter old: The last principal; nil if nobody was signed in. Then the cookies stay, because one of them may
    ///   come from the log-in of the new principal.
    func principalChanged(from old: String?) -> any PrincipalChange

    /// Notes that the principal has signed in again.
    func signedInAgain()

    /// Waits until the cookies of the last principal are gone from disk.
    func cookiesAreGone() async

    /// Schedules the removal of a principal's data from all caches.
    func removeStoredData(of principal: String)

    /// Waits until removed data is gone from disk.
    func storedDataIsGone() async
}

/// A change of the principal in one service.
@MainActor
protocol PrincipalChange {
    /// Makes one step. The steps are made in their order, each once.
    func make(_ step: PrincipalChangeStep)
}

/// The steps of a change of the principal.
enum PrincipalChangeStep: CaseIterable {
    /// The data of the last principal is removed.
    case removeData
    /// The requests of the last principal are cancelled. This runs code of the app, which sees no data of this principal.
    case cancelRequests
    /// The observers are told. This runs code of the app.
    case announce
}
