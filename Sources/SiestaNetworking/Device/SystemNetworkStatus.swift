#if os(Linux) || os(Android)
import Dispatch
#else
import Network
#endif

/// The network status of this device, according to the system.
///
/// On Apple platforms, the status comes from `NWPathMonitor`. ``isConnected`` is true until the first report of the
/// system, a few milliseconds after the first use.
///
/// On Linux, the device is connected if its routing table contains a usable unicast route that leaves the machine. A
/// local network without access to the internet counts as a connection. So does the bridge of a running container.
/// Link-local routes of IPv6 are ignored. The status is known at the first use. If the system refuses access to the
/// routing table, ``isConnected`` is always true, and requests are attempted. Apps on Android, for example, have no
/// access.
@MainActor
public final class SystemNetworkStatus: NetworkStatus {
    /// The status of the system. The library watches the status from the first use of this property until the process
    /// ends.
    public static let shared = SystemNetworkStatus()

    public private(set) var isConnected = true {
        didSet { if isConnected != oldValue { handlers.call() } }
    }

    private let handlers = ChangeHandlers()

    #if os(Linux) || os(Android)
    private var watch: RouteWatch?

    /// Watches the network namespace of the thread that created `sockets`. Without sockets, the status is always true.
    init(_ sockets: RouteSockets? = RouteSockets()) {
        guard let sockets else { return }
        let watch = RouteWatch(sockets) { [weak self] isConnected in
            MainQueue.async { self?.isConnected = isConnected }
        }
        isConnected = watch.first ?? true
        self.watch = watch
    }
    #else
    private let monitor = NWPathMonitor()

    private init() {
        monitor.pathUpdateHandler = { [weak self] path in
            // A path that requires a connection may be usable after an attempt.
            let isConnected = path.status != .unsatisfied
            MainQueue.async { self?.isConnected = isConnected }
        }
        monitor.start(queue: MainQueue.queue)
    }
    #endif

    public func onChange(owner: AnyObject, _ handler: @escaping @MainActor () -> Void) {
        handlers.add(owner: owner, handler)
    }
}
