import Foundation

/// The state that a feature keeps for one resource.
///
/// It is made when the feature is first used with the resource, found by its type, and released with the resource. A
/// resource without features has one pointer for all of them. Implementations are final classes.
@MainActor
package protocol ResourceExtension: AnyObject {
    /// The extension if it is one of pending edits; nil otherwise. A cast would take longer.
    var pendingEdits: (any PendingEdits)? { get }

    /// The value that the feature adds to snapshots of the resource; nil for none. The caller holds the lock of the states.
    nonisolated var snapshotValue: (any Sendable)? { get }

    /// Whether the server pushes the changes of the data; nil if the feature has no part in this.
    var pushStatus: PushStatus? { get }
}

extension ResourceExtension {
    package var pendingEdits: (any PendingEdits)? { nil }
    package nonisolated var snapshotValue: (any Sendable)? { nil }
    package var pushStatus: PushStatus? { nil }
}

extension Resource {
    /// Returns the extension of a type; nil if there is none.
    ///
    /// Threads other than the main thread must hold the lock of the states.
    @inline(__always)
    package nonisolated func known<Extension: ResourceExtension>(_ type: Extension.Type) -> Extension? {
        for case let known as Extension in extensions { return known }
        return nil
    }

    /// Returns the extension of a type. Makes and adds it if there is none.
    package func extended<Extension: ResourceExtension>(with make: @autoclosure () -> Extension) -> Extension {
        if let known = known(Extension.self) { return known }
        let new = make()
        let all = extensions + [new]  // As all writes are instantaneous, reads need no check for exclusive access.
        context.stateLock.withLock { extensions = all }
        return new
    }
}
