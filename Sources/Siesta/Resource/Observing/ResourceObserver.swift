/// Something that wants to know when a resource changes.
///
/// Add it with ``Resource/addObserver(_:)``. All of it is called on the main thread.
@preconcurrency @MainActor
public protocol ResourceObserver {
    /// Called when anything has happened to the resource; its state is already the new one.
    func resourceChanged(_ resource: Resource, event: ResourceEvent)

    /// Called while a load runs, with its progress from 0 to 1. Does nothing by default.
    func resourceRequestProgress(for resource: Resource, progress: Double)

    /// Called when this observer will hear no more of the resource, as far as it still exists. Does nothing by default.
    func stoppedObserving(resource: Resource)

    /// What makes two observers the same; by default the identity of an object, while a value equals no other.
    var observerIdentity: AnyHashable { get }
}

extension ResourceObserver {
    /// Does nothing.
    public func resourceRequestProgress(for resource: Resource, progress: Double) {}

    /// Does nothing.
    public func stoppedObserving(resource: Resource) {}

    /// The object's identity; something unique for a value.
    public var observerIdentity: AnyHashable {
        guard type(of: self as Any) is AnyClass else { return UniqueIdentity() }
        DefaultIdentity.wasAsked = true
        return ObjectIdentifier(self as AnyObject)
    }
}

extension ResourceObserver where Self: AnyObject {
    /// The object's identity.
    public var observerIdentity: AnyHashable {
        DefaultIdentity.wasAsked = true
        return ObjectIdentifier(self)
    }
}

/// Which classes of observers leave their identity to the default: being the object.
///
/// Found out once for each class. Making an identity for each observer would cost as much as all the rest of adding it.
@MainActor
enum DefaultIdentity {
    fileprivate static var wasAsked = false
    private static var isUsed: [ObjectIdentifier: Bool] = [:]
    /// The class that was found to use the default last; observers of one class often come together.
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
        let outer = wasAsked  // An identity of the app's may have observers added while it is made.
        defer { wasAsked = outer }
        wasAsked = false
        let identity = observer.observerIdentity
        return wasAsked && identity.base as? ObjectIdentifier == ObjectIdentifier(observer)
    }
}

/// Equals nothing but itself.
private final class UniqueIdentity: Hashable, Sendable {
    static func == (left: UniqueIdentity, right: UniqueIdentity) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// A closure that is called when anything has happened to a resource.
public typealias ResourceObserverClosure = (Resource, ResourceEvent) -> Void

/// An observer made of a closure.
struct ClosureObserver: ResourceObserver, CustomStringConvertible {
    let closure: ResourceObserverClosure
    let file: String
    let line: Int

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        closure(resource, event)
    }

    nonisolated var description: String { "closure observer (\(file):\(line))" }
}

/// An observer as logs name it: by its description or its type, and not by what it holds.
struct LoggedObserver: CustomStringConvertible {
    let observer: any ResourceObserver

    var description: String {
        (observer as? any CustomStringConvertible)?.description ?? String(describing: type(of: observer))
    }
}
