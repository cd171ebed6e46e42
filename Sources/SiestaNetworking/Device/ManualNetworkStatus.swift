/// A network status that the app or a test sets.
@MainActor
public final class ManualNetworkStatus: NetworkStatus {
    /// The status. If the value changes, all handlers are called before the assignment returns.
    public var isConnected: Bool {
        didSet { if isConnected != oldValue { handlers.call() } }
    }

    private let handlers = ChangeHandlers()

    /// Creates a status. By default, the device is connected.
    public init(isConnected: Bool = true) {
        self.isConnected = isConnected
    }

    public func onChange(owner: AnyObject, _ handler: @escaping @MainActor () -> Void) {
        handlers.add(owner: owner, handler)
    }
}
