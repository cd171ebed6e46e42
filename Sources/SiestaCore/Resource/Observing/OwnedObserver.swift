/// A stand-in for an observer that is a value, or an object with other owners than itself or with a custom identity.
///
/// The stand-in holds the observer strongly while an owner other than the observer itself exists. It forwards events to
/// the observer while any owner exists.
@MainActor
final class OwnedObserver: SilentChangeObserver {
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

    /// Creates a stand-in without an owner.
    init(_ observer: any ResourceObserver, identity: ObserverSlots.Identity) {
        self.identity = identity
        strongObserver = observer
        weakObserver = observer.asObject
    }

    /// The observer, with or without an owner; nil if it no longer exists.
    var observer: (any ResourceObserver)? { strongObserver ?? weakObserver }

    /// The observer if it is an object and owns itself; nil otherwise.
    var selfOwnedObject: (any ResourceObserver & AnyObject)? { ownsItself ? weakObserver : nil }

    var isKeptByOthers: Bool {
        if firstOwner != nil { return true }
        for owner in otherOwners where owner.object != nil { return true }
        return false
    }

    /// The owners that exist, except the observer itself.
    var otherOwnerObjects: [AnyObject] { [firstOwner].compactMap { $0 } + otherOwners.compactMap(\.object) }

    var isAlive: Bool { isKeptByOthers || selfOwnedObject != nil }

    /// True if the stand-in needs no change: the observer has another owner than itself, or it owns itself and is held
    /// weakly.
    var isSettled: Bool { isKeptByOthers || strongObserver == nil && selfOwnedObject != nil }

    /// Adds an owner. Returns true if the owner is new.
    func add(_ owner: AnyObject) -> Bool {
        guard !isOwned(by: ObjectIdentifier(owner)) else { return false }
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

    /// Removes an owner. Returns true if the object was an owner.
    func remove(_ owner: AnyObject) -> Bool {
        guard isOwned(by: ObjectIdentifier(owner)) else { return false }
        if owner === weakObserver { ownsItself = false }
        if owner === firstOwner { firstOwner = nil }
        if !otherOwners.isEmpty { keepOwners { $0 !== owner } }
        return true
    }

    /// Removes the additional owners that no longer exist or that `isWanted` rejects.
    ///
    /// Another thread may release its last reference to an owner during this method. Then this method releases the
    /// owner at its end, after the change.
    private func keepOwners(_ isWanted: (AnyObject) -> Bool) {
        let living = otherOwners.compactMap(\.object)
        otherOwners = living.filter(isWanted).map { Owner(object: $0) }
    }

    /// Releases the strong reference to an observer whose only owner is itself. This may run code of the app.
    func releaseIfSelfOwned() {
        if ownsItself, weakObserver != nil, !isKeptByOthers { extendLifetime(strongObserver.take()) }
    }

    func isOwned(by owner: ObjectIdentifier) -> Bool {
        if ownsItself, let weakObserver, ObjectIdentifier(weakObserver) == owner { return true }
        if let firstOwner, ObjectIdentifier(firstOwner) == owner { return true }
        for other in otherOwners {
            if let object = other.object, ObjectIdentifier(object) == owner { return true }
        }
        return false
    }

    // MARK: Passing on

    func resourceChanged(_ resource: Resource, event: ResourceEvent) {
        resource.observerList?.checked(self, of: resource)?.resourceChanged(resource, event: event)
    }

    func resourceRequestProgress(for resource: Resource, progress: Double) {
        resource.observerList?.checked(self, of: resource)?.resourceRequestProgress(for: resource, progress: progress)
    }

    func resourceRetryChanged(_ resource: Resource, retry: Resource.Retry?) {
        resource.observerList?.checked(self, of: resource)?.resourceRetryChanged(resource, retry: retry)
    }

    func resourceChangedSilently(_ resource: Resource) {
        let observer = resource.observerList?.checked(self, of: resource)
        (observer as? any SilentChangeObserver)?.resourceChangedSilently(resource)
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
