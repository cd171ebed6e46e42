/// Stands for the framework Network of Apple platforms.
public import Dispatch

public struct NWPath: Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }

    public var status: Status { fatalError() }
}

public final class NWPathMonitor: Sendable {
    public init() {}

    @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { fatalError() }
        set { fatalError() }
    }

    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}
