import Foundation
import HTTPRules
import Isolation
import SiestaCore

/// One connection to a source, and the resources that share it.
@MainActor
final class LiveStream {
    /// What identifies a source within a service.
    struct Key: Hashable {
        let address: ExactText
        let topic: ExactText
        /// The bits of the times of the source that apply to the whole connection. A time that is not a number equals itself.
        private let times: [UInt64?]
        private let replaysMissedEvents: Bool

        init(_ source: LiveSource, _ address: String, topic: String) {
            (self.address, self.topic) = (ExactText(address), ExactText(topic))
            times = [source.pollingInterval?.bitPattern, source.silenceLimit.bitPattern]
            replaysMissedEvents = source.replaysMissedEvents
        }

        /// Text for the stream that contains none of its secrets, and is the same for each token of a hub.
        var fingerprint: String {
            let place = topic.text.isEmpty ? address.text[...] : address.text.prefix { $0 != "?" }
            return SHA256.hexadecimal(of: Array("\(place) \(topic.text)".utf8))
        }

        /// True if both keys differ at most in the query of their address.
        func hasHub(of other: Key) -> Bool {
            topic == other.topic && times == other.times && replaysMissedEvents == other.replaysMissedEvents
                && isHub(at: other.address.text)
        }

        /// True if an address differs at most in its query.
        func isHub(at other: String) -> Bool {
            let mark = UInt8(ascii: "?")
            return address.text.utf8.prefix { $0 != mark }.elementsEqual(other.utf8.prefix { $0 != mark })
        }
    }

    /// The state of the connection.
    enum Phase {
        case connecting
        case open
        case waiting(RequestError?, until: Date)
        /// Another attempt is of no use before something changes.
        case failed(RequestError?)

        var isOpen: Bool { if case .open = self { true } else { false } }
        var hasFailed: Bool { if case .failed = self { true } else { false } }
    }

    let key: Key
    /// The ``Key/fingerprint`` of the key.
    let fingerprint: String
    let source: LiveSource
    unowned let context: ResourceContext
    /// The URL to which the paths of a route are appended; nil if the service has none.
    nonisolated let base: BaseURL?
    /// The request of the stream; nil for a sequence of the app.
    private let request: EventRequest?
    private(set) var phase: Phase {
        get { storedPhase }
        set {
            let old = exchange(&storedPhase, with: newValue)
            extendLifetime(old)  // An error may hold objects of the app, whose release runs code that reads the phase.
        }
    }
    private var storedPhase = Phase.connecting
    private var task: Task<Void, Never>?
    /// A number that changes when the stream stops or starts again. What an earlier run has prepared no longer counts.
    var run = 0
    private var hasOpened = false
    /// The monotonic time of the last failure, in seconds.
    private var failureTime = -TimeInterval.infinity
    private var isRetryScheduled = false
    var isPolling = false
    /// The monotonic time of the last loads of all resources that might have missed something, in seconds.
    var roundTime = -TimeInterval.infinity
    /// The minimum time between two such rounds, in seconds.
    var roundPause: TimeInterval = 5
    var isRoundScheduled = false
    var lastComputation = 0
    /// The resources whose data lacks a change, until they are loaded at the end of the present updates.
    var outdated = ObjectTable<Resource>()
    var members = ObjectTable<Resource>()
    let directory = Locked(LiveDirectory())

    init(_ key: Key, _ source: LiveSource, _ request: EventRequest?, in context: ResourceContext) {
        (self.key, self.source, self.request, self.context) = (key, source, request, context)
        (base, fingerprint) = (context.service.base, key.fingerprint)
    }

    var isEmpty: Bool { members.isEmpty }

    /// True if the events are those of the present user.
    var isPersonal: Bool { request?.resource.isPersonal ?? false }

    /// True if a resource whose data names no hub may stay: its source still is the hub of this stream.
    func mayKeep(_ resource: Resource, _ source: LiveSource) -> Bool {
        guard case .mercure(let topic, let hubs) = source.origin, case .mercure(let own, _) = self.source.origin,
            topic.map(ExactText.init) == own.map(ExactText.init), let hub = URL(reference: key.address.text)
        else { return false }
        return resource.mayUse(hub, among: hubs) && key == Key(source, key.address.text, topic: key.topic.text)
    }

    // MARK: Members

    func add(_ resource: Resource) {
        let member = resource.extended(with: LiveMember())
        member.reset(keepsRemoval: true)
        member.stream = self
        member.position.seriesLoad = resource.state.lastLoad
        _ = members.set(resource, of: resource)
        note(resource)
        if phase.isOpen {
            begin(member, of: resource, after: nil)
            loadIfOld(resource)
        } else {
            // If the next connection continues the last one, no series begins, and events are repeated.
            member.noteVersion(resource.state, self)
        }
        show(resource)
        startIfNeeded()
    }

    /// Removes a resource.
    ///
    /// - Parameter isShown: false if the caller calls ``show(_:)`` later, because it runs code of the app.
    func remove(_ resource: Resource, isShown: Bool = true) {
        guard let member = resource.known(LiveMember.self), member.stream === self else { return }
        member.stream = nil
        member.position.noteDeletion(Self.facts(resource.state, member))
        member.reset(keepsRemoval: true)
        let last = (members.set(nil, of: resource), outdated.set(nil, of: resource))
        let old = directory.withLock { $0.remove(resource) }
        if isShown { show(resource) }
        extendLifetime((last, old))
    }

    /// Removes all resources, and stops. Returns the resources. The caller shows their new state later, because this runs code
    /// of the app.
    func close() -> [Resource] {
        let left = members.values
        for resource in left {
            remove(resource, isShown: false)
            // The release of old values may run code of the app, which may have added the resource to another stream.
            if let member = resource.known(LiveMember.self), member.stream == nil { member.reset() }
        }
        stop()  // Last, for the same reason.
        return Array(left)
    }

    /// Notes the configuration of a resource, which may have changed.
    func note(_ resource: Resource) {
        let resolved = resource.resolvedConfiguration(for: .get)
        let source = resolved.configuration.live ?? source
        let group = LiveDirectory.Group(id: resolved.number, source: source, processing: resolved.processing)
        let url = resource.url
        let last = resource.known(LiveMember.self).flatMap { exchange(&$0.source, with: source) }
        let old = directory.withLock { $0.add(resource, url, to: group) }
        extendLifetime((last, old))
    }

    // MARK: The connection

    /// Connects, unless there is a connection or an attempt to make one, or another attempt is of no use.
    ///
    /// - Parameter lastID: The identifier of the last event, if the connection continues the last one.
    func startIfNeeded(after lastID: String? = nil) {
        if case .failed = phase { return }
        guard task == nil, !members.isEmpty else { return }
        run += 1
        if lastID == nil { hasOpened = false }
        phase = .connecting
        let number = run
        directory.withLock { $0.lastID = lastID }
        task = Task { [weak self, request, source, first = members.first] in
            if let request {
                // In a later turn, when all resources that are observed together belong to the stream.
                let cursor = lastID ?? self?.commonCursor ?? ""
                await Self.read(EventReader(request, after: cursor), for: number, into: { self })
            } else if case .sequence(let make) = source.origin, let first {
                await Self.read(make, of: first, for: number, into: { self })
            }
        }
        poll()
        showAll()  // Last, because it runs code of the app, which may call this function.
    }

    /// Makes an attempt now, if the stream waits for the next one or has failed.
    func retryNow() {
        switch phase {
        case .waiting, .failed:
            let lastID = directory.withLock { $0.lastID }
            stop()
            startIfNeeded(after: lastID)
        case .connecting, .open: break
        }
    }

    /// Schedules another attempt after a load has succeeded, at least 30 seconds after the failure. The cause of the
    /// failure, such as an expired credential, may be gone.
    func retryAfterSuccess() {
        guard case .failed(_?) = phase, !isRetryScheduled else { return }
        isRetryScheduled = true
        let pause = max(0, failureTime + ReconnectRules.longestDelay - context.clock.monotonicTime)
        context.clock.schedule(after: pause) { [weak self] in
            guard let self else { return }
            isRetryScheduled = false
            retryIfFailed()
        }
    }

    /// Makes an attempt now if the last one has failed, unless the server has ended the stream.
    func retryIfFailed() {
        if case .failed(_?) = phase { retryNow() }
    }

    /// Ends the connection. What it has brought and is not shown yet no longer counts.
    func stop() {
        run += 1
        let last = task.take()
        last?.cancel()
        phase = .connecting
    }

    @concurrent
    private nonisolated static func read(
        _ reader: EventReader, for run: Int, into stream: @Sendable () -> LiveStream?
    ) async {
        do {
            while let step = try await reader.next() {
                guard let stream = stream() else { return }
                switch step {
                case .opening: await stream.opening(run)
                case .opened(let head, let lastID): await stream.opened(head.fields, lastID, run)
                case .interrupted(let error, let delay): await stream.interrupted(error, delay, run)
                case .events(let events):
                    let isReset = await stream.deliver(events, run)
                    stream.directory.withLock { $0.lastID = isReset ? nil : events.last?.id }
                    if isReset { await stream.historyLost(reader.reset(), run) }
                }
            }
            await stream()?.ended(nil, run)
        } catch {
            await stream()?.ended(error, run)
        }
    }

    /// Notes that the source has lost its history. The places that the data names mean nothing any more.
    private func historyLost(_ delay: TimeInterval, _ run: Int) {
        guard run == self.run else { return }
        for resource in members.values {
            resource.known(LiveMember.self)?.placelessRevision = resource.state.contentRevision
        }
        interrupted(nil, delay, run)
    }

    /// The error that ends the iteration of a sequence whose source has lost its history.
    private struct Reset: Error {}

    /// Iterates a sequence of the app, again and again.
    @concurrent
    private nonisolated static func read(
        _ make: @escaping @MainActor @Sendable (Resource) -> @Sendable (LiveSource.Sink) async throws -> Void,
        of resource: Resource, for run: Int, into stream: @escaping @Sendable () -> LiveStream?
    ) async {
        var rules = ReconnectRules()
        let clock = resource.clock
        let waits = await resource.waitsOfStreams
        while !Task.isCancelled {
            var failure: RequestError?
            await waits.wait(for: 0)
            guard let iterate = await iteration(of: resource, make), !Task.isCancelled else { return }
            rules.opened(at: clock.monotonicTime)
            await stream()?.opened(HeaderFields([:]), "", run)
            do {
                try await iterate { update in
                    try Task.checkCancellation()  // Some sequences continue after their task is cancelled.
                    if await stream()?.deliver(update, of: resource, run) ?? false { throw Reset() }
                }
            } catch is Reset {
            } catch {
                failure =
                    error as? RequestError
                    ?? clock.whileCurrent {
                        RequestError(userMessage: UserMessages.current.requestFailed, cause: error)
                    }
            }
            let delay = rules.delay(at: clock.monotonicTime, retryAfter: nil, fraction: clock.fraction)
            await stream()?.interrupted(failure, delay, run)
            await waits.wait(for: delay)
        }
    }

    /// Begins an iteration, unless the stream was stopped: its closure may belong to the last user.
    private static func iteration(
        of resource: Resource,
        _ make: @escaping @MainActor @Sendable (Resource) -> @Sendable (LiveSource.Sink) async throws -> Void
    ) -> (@Sendable (LiveSource.Sink) async throws -> Void)? {
        Task.isCancelled ? nil : (currentMake(of: resource) ?? make)(resource)
    }

    /// The closure in the current configuration of a resource; nil if there is none.
    private static func currentMake(
        of resource: Resource
    ) -> (@MainActor @Sendable (Resource) -> @Sendable (LiveSource.Sink) async throws -> Void)? {
        guard case .sequence(let make) = resource.known(LiveMember.self)?.source?.origin else { return nil }
        return make
    }

    private func opening(_ run: Int) {
        guard run == self.run, case .waiting = phase else { return }
        phase = .connecting
        showAll()
    }

    private func opened(_ fields: HeaderFields, _ lastID: String, _ run: Int) {
        guard run == self.run else { return }
        phase = .open
        let answered = fields["last-event-id"]
        let isConfirmed = answered.map { ExactText($0) == ExactText(lastID) } ?? source.replaysMissedEvents
        let continues = !lastID.isEmpty && isConfirmed
        if !hasOpened || !continues { beginSeries(after: continues ? lastID : nil) }
        hasOpened = true
        showAll()
        loadWhatMayBeOld()
    }

    private func interrupted(_ error: RequestError?, _ delay: TimeInterval, _ run: Int) {
        guard run == self.run else { return }
        let next = context.clock.wallTime + delay
        phase = .waiting(error, until: Date(timeIntervalSinceReferenceDate: next))
        showAll()
        poll()
    }

    private func ended(_ error: RequestError?, _ run: Int) {
        guard run == self.run else { return }
        task = nil
        if error?.isCancellation ?? false {
            // The resources were wiped. The stream begins again for those that are still observed.
            for resource in members.values { resource.known(LiveMember.self)?.wipe(resource) }
            hasOpened = false
            return startIfNeeded(after: "")  // The user may be another one.
        }
        phase = .failed(error)
        failureTime = context.clock.monotonicTime
        showAll()
        poll()
        // The URL of a hub may contain a token that has expired. The response to a load names the new URL.
        guard run == self.run, error != nil, hasOpened, case .mercure = source.origin else { return }
        hasOpened = false
        for resource in members.values where resource.isObserved { _ = outdated.set(resource, of: resource) }
        loadOutdated()
    }

    /// The identifier of the last event that the data of all resources contains; nil if it is not the same for all.
    private var commonCursor: String? {
        // Data that all users share may come from the stream of another user.
        if isPersonal, members.values.contains(where: { !$0.isPersonal }) { return nil }
        let cursors = Set(members.values.filter(\.state.hasData).map { cursor(of: $0).map(ExactText.init) })
        return cursors.count == 1 ? cursors.first??.text : nil
    }

    // MARK: What people see

    func showAll() {
        for resource in members.values { show(resource) }
    }

    /// Brings the state of a resource up to date: what people see, and whether its data counts as fresh.
    func show(_ resource: Resource) {
        guard let member = resource.known(LiveMember.self) else { return }
        // Each announcement runs code of the app, which may change all of this.
        let isCurrent = { member.stream?.isCaughtUp(resource) ?? false }
        if resource.state.freshness.isGuaranteed != isCurrent() { resource.setGuarantee(isCurrent) }
        if !isCurrent() {
            member.liveSince = nil
        } else if member.liveSince == nil {
            member.liveSince = Date(timeIntervalSinceReferenceDate: context.clock.wallTime)
        }
        member.update(of: resource) { member.stream.map { $0.state(member) } ?? .off }
    }

    private func state(_ member: LiveMember) -> LiveState {
        // Without a network or in the background, no attempt is made at its time.
        let isPermitted = context.device.permitReloads
        return switch phase {
        case .connecting: .connecting
        case .open: member.liveSince.map { .live(since: $0) } ?? .catchingUp
        case .waiting(let error, let next):
            source.pollingInterval == nil
                ? .failed(error, nextAttempt: isPermitted ? next : nil)
                : .polling(nextAttempt: isPermitted ? next : nil)
        case .failed(let error):
            source.pollingInterval == nil ? .failed(error, nextAttempt: nil) : .polling(nextAttempt: nil)
        }
    }
}
