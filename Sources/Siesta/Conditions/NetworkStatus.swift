@MainActor public protocol NetworkStatus: AnyObject {
    var isConnected: Bool { get }
    func onChange(owner: AnyObject, _ handler: @escaping @MainActor () -> Void)
}
@MainActor public protocol AppActivity: AnyObject {
    var isActive: Bool { get }
    func onChange(owner: AnyObject, _ handler: @escaping @MainActor () -> Void)
}
@MainActor public final class ManualNetworkStatus: NetworkStatus {
    public var isConnected: Bool { didSet { if isConnected != oldValue { for h in hs where h.0.o != nil { h.1() } } } }
    struct W { weak var o: AnyObject? }
    var hs: [(W, () -> Void)] = []
    public init(isConnected: Bool = true) { self.isConnected = isConnected }
    public func onChange(owner: AnyObject, _ handler: @escaping @MainActor () -> Void) { hs.append((W(o: owner), handler)) }
}
@MainActor public final class ManualAppActivity: AppActivity {
    public var isActive: Bool { didSet { if isActive != oldValue { for h in hs where h.0.o != nil { h.1() } } } }
    struct W { weak var o: AnyObject? }
    var hs: [(W, () -> Void)] = []
    public init(isActive: Bool = true) { self.isActive = isActive }
    public func onChange(owner: AnyObject, _ handler: @escaping @MainActor () -> Void) { hs.append((W(o: owner), handler)) }
}
@MainActor public final class SystemNetworkStatus: NetworkStatus {
    public static let shared = SystemNetworkStatus()
    public var isConnected: Bool { true }
    public func onChange(owner: AnyObject, _ handler: @escaping @MainActor () -> Void) {}
}
@MainActor public final class SystemAppActivity: AppActivity {
    public static let shared = SystemAppActivity()
    public var isActive: Bool { true }
    public func onChange(owner: AnyObject, _ handler: @escaping @MainActor () -> Void) {}
}
