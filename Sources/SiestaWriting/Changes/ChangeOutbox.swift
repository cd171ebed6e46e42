import SiestaCore

/// The outbox of a service, as its resources use it: the changes that it keeps are shown as pending, and sent by it.
@MainActor
protocol ChangeOutbox: AnyObject {
    /// Returns true if another change follows in the same queue.
    func hasChange(after change: PendingChange) -> Bool

    /// Returns true if the server may have carried out the change, although no response says so.
    func mayBeApplied(_ change: PendingChange) -> Bool

    /// True while changes are being stored.
    var isStoring: Bool { get }

    /// Removes a change that the app has cancelled.
    func cancelled(_ change: PendingChange)

    /// Ends the outbox, because its service is released.
    func detach()

    /// Hides the changes of the last principal.
    func principalWillChange()

    /// Shows the changes of the new principal.
    func principalDidChange()

    /// Notes that a change has ended: it has failed, or is part of the data.
    func hasEnded(_ change: PendingChange)
}
