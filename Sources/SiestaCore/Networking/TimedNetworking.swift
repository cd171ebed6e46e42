/// A request in progress that may wait for a timer instead of a network.
package protocol TimedNetworking: RequestNetworking {
    /// True while nothing happens before a timer is due.
    @MainActor var isWaitingForTimer: Bool { get }
}
