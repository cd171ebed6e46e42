/// A source of information about the network: whether this device is connected.
///
/// ``SystemNetworkStatus`` asks the system. ``ManualNetworkStatus`` is set by the app or by a test. Custom
/// implementations can use ``ChangeHandlers`` for their handlers.
#if Swift5Clients
@preconcurrency
#endif
@MainActor
public protocol NetworkStatus: AnyObject {
    /// False if the device certainly has no connection; true in all other cases.
    var isConnected: Bool { get }

    /// Calls a handler on the main actor after each change of ``isConnected``, until `owner` is released. The owner is
    /// held weakly. Handlers are called in the order in which they were added.
    func onChange(owner: AnyObject, _ handler: @escaping @MainActor () -> Void)
}
