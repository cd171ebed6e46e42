/// Stands for the framework Network of Apple platforms.
public import Dispatch

public struct NWPath: Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }

    public var status: Status { fatalError() }
}

public final class NWPathMonitor: Sendable {
    public init() {}

    /// The stand-in never calls it.
    @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { nil }
        set {}
    }

    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}
