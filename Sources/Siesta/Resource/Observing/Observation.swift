/// One observer of one resource, and who keeps it there.
///
/// An observer that is an object of its own keeping is held weakly; what other owners keep is held strongly, as long as one of them
/// lives.
@MainActor
struct Observation {
    /// An observer that owners other than itself keep.
    private final class Held {
        let observer: any ResourceObserver
        var owners: [WeakOwner] = []

        init(_ observer: any ResourceObserver) {
            self.observer = observer
        }
    }

    private struct WeakOwner {
        weak var object: AnyObject?
    }

    private weak var object: (any ResourceObserver & AnyObject)?
    private var held: Held?
    private(set) var isSelfOwned = false
    private(set) var identity: AnyHashable?

    /// An observation by an object; the owners come later.
    init(object: any ResourceObserver & AnyObject, identity: AnyHashable?) {
        self.object = object
        self.identity = identity
    }

    /// An observation by a value.
    init(value: any ResourceObserver, identity: AnyHashable?) {
        held = Held(value)
        self.identity = identity
    }

    /// The observer as long as it exists, whether or not it still has an owner.
    var observer: (any ResourceObserver)? {
        if let held { return held.observer }
        return object
    }

    /// Whether the observer exists and has an owner.
    var isAlive: Bool {
        if isSelfOwned, object != nil { return true }
        return held?.owners.contains { $0.object != nil } ?? false
    }

    /// Adds an owner, and tells whether it is a new one.
    mutating func addOwner(_ owner: AnyObject) -> Bool {
        if let object, object === owner {
            defer { isSelfOwned = true }
            return !isSelfOwned
        }
        guard let kept = held ?? object.map(Held.init) else { return false }
        held = kept
        kept.owners.removeAll { $0.object == nil }
        guard !kept.owners.contains(where: { $0.object === owner }) else { return false }
        kept.owners.append(WeakOwner(object: owner))
        return true
    }

    mutating func removeOwner(_ owner: AnyObject) {
        if let object, object === owner { isSelfOwned = false }
        held?.owners.removeAll { $0.object === owner }
        releaseIfAbandoned()
    }

    /// Lets go of an observer that is back in its own keeping alone.
    mutating func releaseIfAbandoned() {
        guard isSelfOwned, object != nil, let held else { return }
        held.owners.removeAll { $0.object == nil }
        if held.owners.isEmpty { self.held = nil }
    }
}
