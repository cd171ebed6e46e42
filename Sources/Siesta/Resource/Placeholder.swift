import Foundation
import Observation

/// The placeholder of one resource.
final class Placeholder: ResourceExtension {
    // Only the main actor writes this property, under the lock of the states. The main actor reads it without the lock.
    nonisolated(unsafe) var entity: Entity<Any>?

    func wiped(_ resource: Resource) {
        if entity != nil { resource.removePlaceholder() }
    }
}

extension Resource {
    /// An entity that is shown as long as the resource has no data; nil if there is none, or if the resource has data. The
    /// default is nil.
    ///
    /// Use a placeholder for a value that the app can show before the first load: for example, an element of a list on
    /// the screen of the element. ``snapshot``, ``states`` and a ``ResourceSwitcher`` contain it, and mark it with
    /// ``Snapshot/isPlaceholder``. It is not data: ``latestData`` stays nil, the resource is not up to date, and no cache
    /// stores the placeholder. To store known data, use ``Service/seed(_:for:)``.
    ///
    /// A wipe removes the placeholder, so that no user sees the placeholders of another user. Observation tracks this
    /// property. Loops over ``states`` receive the new state at once, and observers receive no event.
    public var placeholder: Entity<Any>? {
        get {
            MainQueue.checkInDebug("Resource.placeholder")
            guard latestData == nil else { return nil }
            observation?.access(self, keyPath: \.placeholder)
            return known(Placeholder.self)?.entity
        }
        set {
            MainQueue.checkInDebug("Resource.placeholder")
            guard newValue != nil || known(Placeholder.self) != nil else { return }
            let old = setPlaceholder(newValue)
            observerList?.deliverSilentChange(of: self)
            extendLifetime(old)
        }
    }

    /// Removes the placeholder because of a wipe, whose event follows.
    fileprivate func removePlaceholder() {
        extendLifetime(setPlaceholder(nil))
    }

    /// Returns the old placeholder, whose release may run code of the app.
    private func setPlaceholder(_ entity: Entity<Any>?) -> Entity<Any>? {
        observation?.willSet(self, keyPath: \.placeholder)
        var entity = entity
        let placeholder = extended(with: Placeholder())
        context.stateLock.withLock { swap(&placeholder.entity, &entity) }
        observation?.didSet(self, keyPath: \.placeholder)
        return entity
    }
}

extension TypedResource {
    /// Content that is shown as long as the resource has no data; see ``Resource/placeholder``. Its content type is
    /// `application/binary`.
    public var placeholder: Content? {
        get { resource.placeholder?.content(as: Content.self) }
        nonmutating set {
            resource.placeholder = newValue.map { content in
                resource.context.clock.whileCurrent { Entity<Any>(content: content, contentType: "application/binary") }
            }
        }
    }
}
