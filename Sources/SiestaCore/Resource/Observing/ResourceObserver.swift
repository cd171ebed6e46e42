/// A type that is notified of the changes of a resource.
///
/// Add an observer with ``Resource/addObserver(_:)``. The resource calls all methods on the main thread.
#if Swift5Clients
@preconcurrency
#endif
@MainActor
public protocol ResourceObserver {
    /// Called after each event of the resource. The resource's state has already changed.
    func resourceChanged(_ resource: Resource, event: ResourceEvent)

    /// Called repeatedly while a load runs, with its progress from 0 to 1. The default implementation does nothing.
    func resourceRequestProgress(for resource: Resource, progress: Double)

    /// Called when a request of the resource begins to wait for its next attempt, and when the wait ends. `retry` is
    /// the value of ``Resource/retry`` at that time. The default implementation does nothing.
    func resourceRetryChanged(_ resource: Resource, retry: Resource.Retry?)

    /// Called when the observation ends, if the observer still exists. If the observation ends because an owner was
    /// released, the resource calls this method within about one second. The default implementation does nothing.
    func stoppedObserving(resource: Resource)

    /// The identity by which the resource recognizes an observer that is added again. By default, the identity of an
    /// object is its `ObjectIdentifier`, and a value receives a new identity each time it is added.
    var observerIdentity: AnyHashable { get }
}

extension ResourceObserver {
    /// Does nothing.
    public func resourceRequestProgress(for resource: Resource, progress: Double) {}

    /// Does nothing.
    public func resourceRetryChanged(_ resource: Resource, retry: Resource.Retry?) {}

    /// Does nothing.
    public func stoppedObserving(resource: Resource) {}

    /// The `ObjectIdentifier` of an object, or a unique identity for a value.
    public var observerIdentity: AnyHashable {
        guard type(of: self as Any) is AnyClass else { return UniqueIdentity() }
        DefaultIdentity.wasAsked = true
        return ObjectIdentifier(self as AnyObject)
    }
}

extension ResourceObserver where Self: AnyObject {
    /// The `ObjectIdentifier` of the object.
    public var observerIdentity: AnyHashable {
        DefaultIdentity.wasAsked = true
        return ObjectIdentifier(self)
    }
}

/// Remembers for each observer class whether it uses the default identity, which is the object itself.
///
/// The answer is computed once for each class: an identity for each observer would double the cost of adding the
/// observer.
@MainActor
enum DefaultIdentity {
    fileprivate static var wasAsked = false
    private static var isUsed: [ObjectIdentifier: Bool] = [:]
    /// The class that was asked for last, because observers of one class are often added together.
    private static var last: ObjectIdentifier?

    static func isUsed(by observer: any ResourceObserver & AnyObject) -> Bool {
        let kind = ObjectIdentifier(type(of: observer))
        if kind == last { return true }
        let result = isUsed[kind] ?? asks(observer)
        isUsed[kind] = result
        if result { last = kind }
        return result
    }

    private static func asks(_ observer: any ResourceObserver & AnyObject) -> Bool {
        let outer = wasAsked  // A custom identity may add other observers while it is computed.
        defer { wasAsked = outer }
        wasAsked = false
        let identity = observer.observerIdentity
        return wasAsked && identity.base as? ObjectIdentifier == ObjectIdentifier(observer)
    }
}

/// An identity that is equal only to itself.
private final class UniqueIdentity: Hashable, Sendable {
    static func == (left: UniqueIdentity, right: UniqueIdentity) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// A closure that is called after each event of a resource, with the resource and the event.
public typealias ResourceObserverClosure = (Resource, ResourceEvent) -> Void

struct ClosureObserver: ResourceObserver, CustomStringConvertible {
    let closure: ResourceObserverClosure
    let file: String
    let line: Int

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        closure(resource, event)
    }

    nonisolated var description: String { "closure observer (\(file):\(line))" }
}

/// The name of an observer in logs: its description or its type. Never contains the content of the observer.
struct LoggedObserver: CustomStringConvertible {
    let observer: any ResourceObserver

    var description: String {
        (observer as? any CustomStringConvertible)?.description ?? String(describing: type(of: observer))
    }
}
