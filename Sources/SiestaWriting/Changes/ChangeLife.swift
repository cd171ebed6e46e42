/// The life of a change, from the moment when it is made to its end. Pure.
///
/// ```text
/// waiting ─> sending ─> settling ─> succeeded
///    ^           └────> resolving, refused, conflict ─> waiting or sending
///    └─ an attempt without a result
/// ```
///
/// Each state can be followed by a failure. Without an outbox, a refused change fails.
struct ChangeLife {
    private(set) var state = PendingChange.State.waiting

    /// The number of times that the app was asked about a conflict.
    private(set) var conflictCount = 0

    /// True until the change has succeeded or failed.
    var isPending: Bool { state != .succeeded && state != .failed }

    /// True if the server has carried out the change.
    var isConfirmed: Bool { state == .settling || state == .succeeded }

    /// Passes to another state. Returns false, and changes nothing, if the present state excludes it: an end is final, and a
    /// change that the server has carried out is not sent again.
    mutating func pass(to next: PendingChange.State) -> Bool {
        guard permits(next) else { return false }
        state = next
        if next == .resolving { conflictCount += 1 }
        return true
    }

    private func permits(_ next: PendingChange.State) -> Bool {
        switch state {
        case .succeeded, .failed: next == state
        case .settling: next == .settling || next == .succeeded || next == .failed
        case .waiting, .sending, .resolving, .refused, .conflict: true
        }
    }
}
