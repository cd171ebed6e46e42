import Foundation
import HTTPRules
import Observation
public import SiestaCore

/// What the feature keeps for one resource: its place in a stream, and the state that people see.
@MainActor
final class LiveMember: ResourceExtension {
    /// The stream to which the resource belongs; nil for none.
    weak var stream: LiveStream?
    var position = LivePosition()
    /// The updates that wait for a load or for the result of a patch, in their order.
    var held: [LiveDelivery] = []
    /// True while a patch is applied outside the main actor.
    var isComputing = false
    /// The source of the last update, the revision of the data that it has made, and its bytes if it was a replacement.
    var updated: (key: LiveStream.Key, revision: UInt32, bytes: Data?)?
    /// The monotonic time of the last load that the stream has caused, in seconds.
    var loadTime = -TimeInterval.infinity
    var isLoadScheduled = false
    /// The delays after failed loads.
    var failures = ReconnectRules()
    /// The time since which the resource has been live; nil while it is not.
    var liveSince: Date?
    /// Only the main actor changes it, under the lock of the states.
    nonisolated(unsafe) private(set) var state = LiveState.off
    private let registrar = ObservationRegistrar()

    /// The maximum number of updates that wait. With more of them, the resource is loaded again.
    static let heldLimit = 1000

    nonisolated var snapshotValue: (any Sendable)? { state }

    /// The state, for a reader that Observation may track.
    var trackedState: LiveState {
        registrar.access(self, keyPath: \.state)
        return state
    }

    func set(_ new: LiveState, of resource: Resource) {
        guard !new.isSame(as: state) else { return }
        registrar.willSet(self, keyPath: \.state)
        // The old value is released after the lock, because an error may hold objects of the app.
        let old = resource.context.stateLock.withLock { exchange(&state, with: new) }
        registrar.didSet(self, keyPath: \.state)
        extendLifetime(old)
        resource.observerList?.deliverSilentChange(of: resource)
    }

    /// Forgets what belongs to a stream that the resource has left, apart from the version of the data.
    func reset() {
        let old = held
        (held, isComputing, position, liveSince) = ([], false, LivePosition(version: position.version), nil)
        extendLifetime(old)
    }

    /// Brings the version up to date with data that no update has made. An update names its version, and its data does not.
    func noteVersion(_ state: Resource.State, _ stream: LiveStream) {
        guard updated?.revision != state.contentRevision || updated?.key != stream.key else { return }
        position.version = state.data.flatMap(stream.source.version)
    }
}

extension LiveMember: nonisolated Observable {}

extension LiveState {
    fileprivate func isSame(as other: LiveState) -> Bool {
        switch (self, other) {
        case (.off, .off), (.connecting, .connecting), (.catchingUp, .catchingUp): true
        case (.live(let one), .live(let other)): one == other
        case (.polling(let one), .polling(let other)): one == other
        case (.failed(let one, let time), .failed(let other, let otherTime)):
            time == otherTime && RequestError.areSame(one, other)
        default: false
        }
    }
}

extension Resource {
    /// The state of the connection to the ``Configuration/live`` source. Observation tracks this property, and loops
    /// over ``states`` receive a state after each change.
    public var live: LiveState {
        MainQueue.checkInDebug("Resource.live")
        return extended(with: LiveMember()).trackedState
    }
}

extension Resource.Snapshot {
    /// The state of the connection to the live source at that time; see ``Resource/live``.
    public var live: LiveState { value(of: LiveState.self) ?? .off }
}

extension TypedResource {
    /// The state of the connection to the live source; see ``Resource/live``.
    public var live: LiveState { resource.live }
}
