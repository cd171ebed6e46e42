/// Stands in for an observer that is not simply an object in its own keeping: a value, or whatever has other owners or
/// an identity of its own.
///
/// It holds the observer strongly as long as an owner other than the observer itself lives, and passes on what it is
/// told as long as any owner does.
@MainActor
final class OwnedObserver: ResourceObserver {
    private struct Owner {
        weak var object: AnyObject?
    }

    let identity: ObserverSlots.Identity
    var slot = 0
    private(set) var ownsItself = false
    private var strongObserver: (any ResourceObserver)?
    private weak var weakObserver: (any ResourceObserver & AnyObject)?
    private weak var firstOwner: AnyObject?
    private var otherOwners: [Owner] = []

    /// Without an owner as yet.
    init(_ observer: any ResourceObserver, identity: ObserverSlots.Identity) {
        self.identity = identity
        strongObserver = observer
        weakObserver = observer.asObject
    }

    /// The observer as long as it exists, whether or not it still has an owner.
    var observer: (any ResourceObserver)? { strongObserver ?? weakObserver }

    /// The observer if it is an object and keeps itself.
    var selfOwnedObject: (any ResourceObserver & AnyObject)? { ownsItself ? weakObserver : nil }

    var isKeptByOthers: Bool {
        if firstOwner != nil { return true }
        for owner in otherOwners where owner.object != nil { return true }
        return false
    }

    var isAlive: Bool { isKeptByOthers || selfOwnedObject != nil }

    /// Whether this is how it stays until somebody acts: with another owner, or held weakly as its own only one.
    var isSettled: Bool { isKeptByOthers || strongObserver == nil && selfOwnedObject != nil }

    /// Adds an owner, and tells whether it is a new one.
    func add(_ owner: AnyObject) -> Bool {
        guard !isOwned(by: owner) else { return false }
        if owner === weakObserver {
            ownsItself = true
            return true
        }
        if firstOwner == nil {
            firstOwner = owner
        } else {
            keepOwners { _ in true }
            otherOwners.append(Owner(object: owner))
        }
        if strongObserver == nil { strongObserver = weakObserver }
        return true
    }

    func remove(_ owner: AnyObject) {
        if owner === weakObserver { ownsItself = false }
        if owner === firstOwner { firstOwner = nil }
        if !otherOwners.isEmpty { keepOwners { $0 !== owner } }
    }

    /// Forgets the further owners that are dead or not wanted.
    ///
    /// One that dies meanwhile, because another thread lets go of it, is released at the end, when nothing is being changed.
    private func keepOwners(_ isWanted: (AnyObject) -> Bool) {
        let living = otherOwners.compactMap(\.object)
        otherOwners = living.filter(isWanted).map { Owner(object: $0) }
    }

    /// Lets go of an observer that is in its own keeping alone, which may run any code.
    func releaseIfSelfOwned() {
        if ownsItself, weakObserver != nil, !isKeptByOthers { _ = strongObserver.take() }
    }

    private func isOwned(by owner: AnyObject) -> Bool {
        if ownsItself, owner === weakObserver { return true }
        if owner === firstOwner { return true }
        for other in otherOwners where other.object === owner { return true }
        return false
    }

    // MARK: Passing on

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        resource.observerList?.checked(self, of: resource)?.resourceChanged(resource, event: event)
    }

    func resourceRequestProgress(for resource: Resource, progress: Double) {
        resource.observerList?.checked(self, of: resource)?.resourceRequestProgress(for: resource, progress: progress)
    }

    func stoppedObserving(resource: Resource) {
        observer?.stoppedObserving(resource: resource)
    }
}

extension ResourceObserver {
    /// The observer itself, if it is an object and not a value.
    var asObject: (any ResourceObserver & AnyObject)? {
        type(of: self as Any) is AnyClass ? self as? any ResourceObserver & AnyObject : nil
    }
}
