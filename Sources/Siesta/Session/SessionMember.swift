/// The resources of one service, which belong to the principal of a session.
@MainActor
protocol SessionMember: AnyObject {
    /// The network for the requests of an authenticator.
    var authenticationNetwork: AuthenticationNetwork { get }

    /// Ends the requests of the last principal, and removes all that resources and cookies know of it.
    ///
    /// - Parameter old: The last principal; nil if nobody was signed in. Then the cookies stay, because one of them may
    ///   come from the log-in of the new principal.
    func principalChanged(from old: String?)

    /// Schedules the removal of a principal's data from all caches.
    func removeStoredData(of principal: String)

    /// Waits until removed data is gone from the disk.
    func storedDataIsGone() async
}
