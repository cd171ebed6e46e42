import Foundation
import HTTPRules
import Observation
public import SiestaCore

/// What the feature keeps for one resource: its place in a stream, and the state that people see.
@MainActor
final class LiveMember: ResourceExtension {
    /// The stream to which the resource belongs; nil for none.
    weak var stream: LiveStream?
    /// The configured source, whose functions belong to the resource; nil before the resource belongs to a stream.
    var source: LiveSource?
    var position = LivePosition()
    /// The last result of a change that came from the server, until its version is noted: that runs code of the app.
    var unnoted: Entity<Any>?
    /// The `Link` field of the last load; nil if it had none, or before a load.
    var linkField: String?
    /// The updates that wait for a load or for the result of patches.
    var held = HeldUpdates()
    /// The number of the patches that are applied outside the main actor; nil if there are none. The result of others no
    /// longer counts.
    var computation: Int?
    /// The source of the last update, the revision of the data that it has made, and its body if it was a replacement.
    var updated: (key: LiveStream.Key, revision: UInt32, body: BodyFingerprint?)?
    /// The ``Resource/State/contentRevision`` of data whose place in the stream means nothing, because the source has lost its
    /// history since then; nil if there is none.
    var placelessRevision: UInt32?
    /// True from an update that requires a load until a load succeeds, or until the data is removed.
    var needsLoad = false
    /// The monotonic time of the last load that the stream has caused, in seconds.
    var loadTime = -TimeInterval.infinity
    /// The number of loads that the stream has caused since a load has ended.
    var unendedLoads = 0
    var isLoadScheduled = false
    /// True if the feature is told whether the resource is observed.
    var isWatched = false
    /// The number of times that the resource has got its first observer, or has lost its last one.
    var changeCount = 0
    /// The delays between moves to streams that responses name.
    var moves = ReconnectRules()
    /// The monotonic time before which the stream starts no load of the resource, in seconds. A move sets it.
    var moveEnd = -TimeInterval.infinity
    /// The delays after failed loads.
    var failures = ReconnectRules()
    /// The time since which the resource has been live; nil while it is not.
    var liveSince: Date?
    /// True if there was no connection, and the resource is not live since then.
    private var isResuming = false
    /// Only the main actor changes it, under the lock of the states.
    nonisolated(unsafe) private(set) var state = LiveState.off
    private let registrar = ObservationRegistrar()

    nonisolated var snapshotValue: (any Sendable)? { state }

    var pushStatus: PushStatus? {
        switch state {
        case .off: nil
        case .connecting: PushStatus(.connecting, isResuming: isResuming)
        case .catchingUp: PushStatus(.catchingUp, isResuming: isResuming)
        case .live(let since): PushStatus(.current, date: since)
        case .polling(let next): PushStatus(next == nil ? .ended : .interrupted, isResuming: isResuming, date: next)
        case .failed(let error, let next):
            PushStatus(next == nil ? .ended : .interrupted, isResuming: isResuming, date: next, error: error)
        }
    }

    /// The state, for a reader that Observation may track.
    var trackedState: LiveState {
        registrar.access(self, keyPath: \.state)
        return state
    }

    /// Brings the state up to date.
    func update(of resource: Resource, to current: () -> LiveState) {
        guard !current().isSame(as: state) else { return }
        registrar.willSet(self, keyPath: \.state)
        let new = current()  // The announcement has run code of the app.
        switch new {
        case .off, .live: isResuming = false
        case .failed, .polling: isResuming = true
        case .connecting, .catchingUp: break
        }
        // The old value is released after the lock, because an error may hold objects of the app.
        let old = resource.context.stateLock.withLock { exchange(&state, with: new) }
        registrar.didSet(self, keyPath: \.state)
        extendLifetime(old)
        resource.record(.updatesChanged(new.description))
        resource.observerList?.deliverSilentChange(of: resource)
    }

    /// Forgets what belongs to a stream that the resource has left, apart from the version of the data.
    ///
    /// - Parameter keepsRemoval: true if the user and the caches stay the same. An older update then brings back no data that
    ///   was removed.
    func reset(keepsRemoval: Bool = false) {
        let old = dropUpdates()
        var new = LivePosition(version: position.version)
        if keepsRemoval { (new.isRemoved, new.isDeleted) = (position.isRemoved, position.isDeleted) }
        if !keepsRemoval { (linkField, unendedLoads) = (nil, 0) }  // The field may name the hub of the last user.
        (position, liveSince) = (new, nil)
        needsLoad = false
        let last = (old, unnoted.take())
        extendLifetime(last)
    }

    /// Forgets everything, because the data of the resource is wiped. This is no deletion.
    func wipe(_ resource: Resource) {
        reset()
        position.seriesLoad = resource.state.lastLoad
    }

    /// Ends the delay after failed loads.
    func endFailures(at now: TimeInterval) {
        failures = ReconnectRules()
        if loadTime > now { (loadTime, isLoadScheduled) = (now, false) }
    }

    /// Notes a move to the stream that a response names. The next response may name another stream.
    func noteMove(at now: TimeInterval) {
        moveEnd = now + moves.delay(at: now, retryAfter: nil, fraction: 0)
        moves.opened(at: now)
    }

    /// Forgets the updates that wait or are computed. Returns them, because their release may run code of the app.
    func dropUpdates() -> [LiveDelivery] {
        computation = nil
        return held.removeAll()
    }

    /// Returns the version of data; nil if it is not known. It may run code of the app.
    func version(of data: Entity<Any>, _ stream: LiveStream) -> LiveVersion? {
        data.pushedVersion ?? (source ?? stream.source).version(data.withoutKeptFields)
    }

    /// Brings the version up to date with data that no update has made. An update names its version, and its data does not.
    func noteVersion(_ state: Resource.State, _ stream: LiveStream) {
        let result = unnoted.take()
        defer { extendLifetime(result) }
        if let result, state.source == .local || !state.hasData {
            position.version = version(of: result, stream)
            if state.hasData { (position.isRemoved, position.isDeleted) = (false, false) }
            return
        }
        if updated?.revision == state.contentRevision, updated?.key == stream.key {
            // A load may have returned the same content with a newer version.
            guard let data = state.data, let version = self.version(of: data, stream),
                position.version?.isCovered(by: version) ?? true
            else { return }
            return position.version = version
        }
        guard state.hasData || !(position.isRemoved || position.isDeleted) else { return }
        let version = state.data.flatMap { self.version(of: $0, stream) }
        (position.version, position.isRemoved, position.isDeleted) = (version, false, false)
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
    /// The state of the resource's connection to its live source (``Configuration/live``). Observation tracks this
    /// property, and loops over ``states`` receive a new state after each change.
    public var live: LiveState {
        MainQueue.checkInDebug("Resource.live")
        return extended(with: LiveMember()).trackedState
    }
}

extension Resource.Snapshot {
    /// The state of the resource's connection to its live source at the time of the snapshot; see ``Resource/live``.
    public var live: LiveState { value(of: LiveState.self) ?? .off }
}
