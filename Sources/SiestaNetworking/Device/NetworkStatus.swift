#if os(Linux) || os(Android)
import Dispatch
#else
import Network
#endif

/// An object that indicates whether this device is connected to a network.
///
/// ``system`` follows the operating system. A test, or an app that has another source of information, creates its own
/// status and sets ``isConnected``.
@MainActor
public final class NetworkStatus {
    /// The status of this device, according to the system. The library watches the system from the first use of this
    /// property until the process ends.
    ///
    /// On Apple platforms, the status comes from `NWPathMonitor`. ``isConnected`` is true until the system reports the
    /// status for the first time, a few milliseconds after the first use of this property.
    ///
    /// On Linux, the device is connected if its routing table contains a usable unicast route that leaves the machine.
    /// A local network without access to the internet counts as a connection, and so does the network bridge of a
    /// running container. Link-local IPv6 routes are ignored. The status is known at the first use of this property. If
    /// the system refuses access to the routing table, as Android does, ``isConnected`` is always true, and requests
    /// are attempted.
    ///
    /// If the app sets ``isConnected``, the system's next report replaces this value.
    public static let system = NetworkStatus(watching: ())

    /// False if the device is known to have no connection; true in all other cases.
    ///
    /// If the value changes, the handlers of ``onChange(owner:_:)`` are called before the assignment returns.
    public var isConnected: Bool {
        didSet { if isConnected != oldValue { handlers.call() } }
    }

    private let handlers = ChangeHandlers()

    /// Creates a status that changes only when ``isConnected`` is set. By default, the device is connected.
    public init(isConnected: Bool = true) {
        self.isConnected = isConnected
    }

    #if os(Linux) || os(Android)
    private var watch: RouteWatch?

    private convenience init(watching _: Void) { self.init(RouteSockets()) }

    /// Watches the network namespace of the thread that created `sockets`. Without sockets, the status is always true.
    convenience init(_ sockets: RouteSockets?) {
        self.init()
        guard let sockets else { return }
        let watch = RouteWatch(sockets) { [weak self] isConnected in
            MainQueue.async { self?.isConnected = isConnected }
        }
        isConnected = watch.first ?? true
        self.watch = watch
    }
    #else
    private var monitor: NWPathMonitor?

    private convenience init(watching _: Void) {
        self.init()
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { [weak self] path in
            // A path that requires a connection may be usable after an attempt.
            let isConnected = path.status != .unsatisfied
            MainQueue.async { self?.isConnected = isConnected }
        }
        monitor.start(queue: MainQueue.queue)
        self.monitor = monitor
    }
    #endif

    /// Calls a handler on the main actor after each change of ``isConnected``, until `owner` is released. The owner is
    /// held weakly. Handlers are called in the order in which they were added.
    public func onChange(owner: AnyObject, _ handler: @escaping @MainActor () -> Void) {
        handlers.add(owner: owner, handler)
    }
}
