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
    }

    /// The state of the connection.
    enum Phase {
        case connecting
        case open
        case waiting(RequestError?, until: Date?)
        /// Another attempt is of no use before something changes.
        case failed(RequestError?)

        var isOpen: Bool { if case .open = self { true } else { false } }
    }

    let key: Key
    let source: LiveSource
    private unowned let context: ResourceContext
    /// The address to which the paths of a route are appended.
    private nonisolated let root: String
    /// The request of the stream; nil for a sequence of the app.
    private let request: EventRequest?
    private(set) var phase = Phase.connecting
    private var task: Task<Void, Never>?
    /// A number that changes when the stream stops or starts again. What an earlier run has prepared no longer counts.
    private var run = 0
    private var hasOpened = false
    private var isPolling = false
    private var members = ObjectTable<Resource>()
    /// The resources of the stream, for code outside the main actor.
    private let directory = Locked(Directory())

    private struct Directory {
        /// The values of ``byAddress``; nil after a change.
        var all: [Entry]?
        var byAddress: [String: Entry] = [:]
    }

    private struct Entry {
        let resource: Resource
        let url: URL
        let processing: ResponseProcessing
    }

    init(_ key: Key, _ source: LiveSource, _ request: EventRequest?, in context: ResourceContext) {
        (self.key, self.source, self.request, self.context) = (key, source, request, context)
        root = context.addressOfRoot
    }

    var isEmpty: Bool { members.isEmpty }

    // MARK: Members

    func add(_ resource: Resource) {
        let member = resource.extended(with: LiveMember())
        member.reset()
        member.stream = self
        member.position.seriesLoad = resource.state.lastLoad
        _ = members.set(resource, of: resource)
        note(resource)
        if phase.isOpen { begin(member, of: resource, after: nil) }
        show(resource)
        startIfNeeded()
    }

    func remove(_ resource: Resource) {
        guard let member = resource.known(LiveMember.self), member.stream === self else { return }
        member.stream = nil
        member.reset()
        let last = members.set(nil, of: resource)
        directory.withLock { directory in
            directory.byAddress[resource.address] = nil
            directory.all = nil
        }
        show(resource)
        extendLifetime(last)
    }

    /// Removes all resources, and stops.
    func close() {
        stop()
        for resource in members.values { remove(resource) }
    }

    /// Updates what other threads know of a resource, whose configuration may have changed.
    func note(_ resource: Resource) {
        let processing = resource.resolvedConfiguration(for: .get).processing
        let entry = Entry(resource: resource, url: resource.url, processing: processing)
        directory.withLock { directory in
            directory.byAddress[resource.address] = entry
            directory.all = nil
        }
    }

    // MARK: The connection

    /// Connects, unless there is a connection or an attempt to make one.
    func startIfNeeded() {
        guard task == nil, !members.isEmpty else { return }
        run += 1
        hasOpened = false
        phase = .connecting
        showAll()
        let number = run
        let cursor = members.values.lazy.compactMap { $0.state.data.flatMap(Self.cursor) }.first ?? ""
        task = Task { [weak self, request, source, first = members.first] in
            if let request {
                await Self.read(EventReader(request, after: cursor), for: number, into: { self })
            } else if case .sequence(let make) = source.origin, let first {
                await Self.read(make, of: first, for: number, into: { self })
            }
        }
    }

    /// Makes an attempt now, if the stream waits for the next one or has failed.
    func retryNow() {
        switch phase {
        case .waiting, .failed:
            stop()
            startIfNeeded()
        case .connecting, .open: break
        }
    }

    /// Ends the connection. What it has brought and is not shown yet no longer counts.
    func stop() {
        run += 1
        let last = task.take()
        last?.cancel()
        phase = .connecting
    }

    private nonisolated static func read(
        _ reader: EventReader, for run: Int, into stream: @Sendable () -> LiveStream?
    ) async {
        do {
            while let step = try await reader.next() {
                guard let stream = stream() else { return }
                switch step {
                case .opened(let head, let lastID): await stream.opened(head.fields, lastID, run)
                case .interrupted(let error, let delay): await stream.interrupted(error, delay, run)
                case .events(let events):
                    if await stream.deliver(stream.deliveries(events), run) {
                        let delay = await reader.reset()
                        await stream.interrupted(nil, delay, run)
                    }
                }
            }
            await stream()?.ended(nil, run)
        } catch {
            await stream()?.ended(error, run)
        }
    }

    /// Iterates a sequence of the app, again and again.
    private nonisolated static func read(
        _ make: @MainActor @Sendable (Resource) -> @Sendable (LiveSource.Sink) async throws -> Void,
        of resource: Resource, for run: Int, into stream: @escaping @Sendable () -> LiveStream?
    ) async {
        var rules = ReconnectRules()
        let clock = resource.clock
        let waits = await resource.waitsOfStreams
        while !Task.isCancelled {
            var failure: RequestError?
            await waits.wait(for: 0)
            let iterate = await make(resource)
            guard !Task.isCancelled else { return }
            rules.opened(at: clock.monotonicTime)
            await stream()?.opened(HeaderFields([:]), "", run)
            do {
                try await iterate { updates in
                    guard let stream = stream() else { return }
                    _ = await stream.deliver(stream.deliveries(updates, of: resource), run)
                }
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

    private func opened(_ fields: HeaderFields, _ lastID: String, _ run: Int) {
        guard run == self.run else { return }
        phase = .open
        let answered = fields["last-event-id"]
        let continues = !lastID.isEmpty && (answered == lastID || answered == nil && source.replaysMissedEvents)
        if hasOpened, continues { showAll() } else { beginSeries(after: continues ? lastID : nil) }
        hasOpened = true
    }

    private func interrupted(_ error: RequestError?, _ delay: TimeInterval, _ run: Int) {
        guard run == self.run else { return }
        let isPermitted = context.device.permitReloads
        let next = context.clock.wallTime + delay
        phase = .waiting(error, until: isPermitted ? Date(timeIntervalSinceReferenceDate: next) : nil)
        showAll()
        poll()
    }

    private func ended(_ error: RequestError?, _ run: Int) {
        guard run == self.run else { return }
        task = nil
        if error?.isCancellation ?? false {
            // The resources were wiped. The stream begins again for those that are still observed.
            for resource in members.values { resource.known(LiveMember.self)?.reset() }
            return startIfNeeded()
        }
        phase = .failed(error)
        showAll()
        poll()
    }

    /// Loads the observed resources from time to time while there is no connection.
    private func poll() {
        guard let interval = source.pollingInterval, interval.isFinite, !isPolling else { return }
        isPolling = true
        context.clock.schedule(after: max(interval, 0.1)) { [weak self] in
            guard let self else { return }
            isPolling = false
            guard !phase.isOpen, !members.isEmpty else { return }
            if context.device.permitReloads {
                for resource in members.values where resource.isObserved && !resource.state.isLoading {
                    context.because(.poll) { _ = resource.load() }
                }
            }
            poll()
        }
    }

    // MARK: Series

    /// Returns the identifier of the last event that the data contains; nil if it is not known.
    static func cursor(of data: Entity<Any>) -> String? {
        if let id = data.headerFields["last-event-id"], !id.isEmpty { return id }
        return data.headerFields["link"].flatMap { field in
            LinkField(field).links.first { $0.relations.contains("mercure") }?["last-event-id"]
        }
    }

    /// Begins a series of events without a gap. Data from before may lack changes, unless its last event is that of the cursor.
    private func beginSeries(after cursor: String?) {
        let all = members.values
        for resource in all {
            guard let member = resource.known(LiveMember.self) else { continue }
            begin(member, of: resource, after: cursor)
            show(resource)
        }
        let stale = all.filter { $0.isObserved && $0.state.hasData && !isCaughtUp($0) }
        spread(stale)
    }

    private func begin(_ member: LiveMember, of resource: Resource, after cursor: String?) {
        let state = resource.state
        member.position.seriesLoad = state.lastLoad
        member.held = []
        member.position.version = state.data.flatMap(source.version)
        if let cursor, let data = state.data, Self.cursor(of: data).map(ExactText.init) == ExactText(cursor) {
            member.position.seriesLoad = state.shownLoad - 1
        }
    }

    /// Loads resources: a few at once, many over a longer time.
    private func spread(_ resources: [Resource]) {
        guard resources.count > 8 else { return resources.forEach(scheduleLoad) }
        let (count, time) = (50, min(5, Double(resources.count) * 0.02))
        for (group, members) in Dictionary(
            grouping: resources, by: { _ in Int(context.clock.fraction * Double(count)) })
        {
            context.clock.schedule(after: time * Double(group) / Double(count)) { [weak self] in
                for resource in members { self?.scheduleLoad(resource) }
            }
        }
    }

    private func isCaughtUp(_ resource: Resource) -> Bool {
        guard phase.isOpen, let member = resource.known(LiveMember.self) else { return false }
        return member.position.isCaughtUp(Self.facts(resource.state, member))
    }

    private static func facts(_ state: Resource.State, _ member: LiveMember) -> LivePosition.Facts {
        LivePosition.Facts(
            hasData: state.hasData, shownLoad: state.shownLoad,
            isLoading: state.isLoading && state.lastLoad > state.shownLoad)
    }

    // MARK: Loads

    /// Loads a resource that has missed something, at most once in a second.
    private func scheduleLoad(_ resource: Resource) {
        guard let member = resource.known(LiveMember.self), member.stream === self, !member.isLoadScheduled else {
            return
        }
        let now = context.clock.monotonicTime
        let pause = member.loadTime + 1 - now
        guard pause > 0 else { return loadNow(resource, member) }
        member.isLoadScheduled = true
        context.clock.schedule(after: pause) { [weak self, weak resource] in
            member.isLoadScheduled = false
            guard let self, let resource else { return }
            loadNow(resource, member)
        }
    }

    private func loadNow(_ resource: Resource, _ member: LiveMember) {
        guard member.stream === self, !isCaughtUp(resource), resource.isObserved else { return }
        let state = resource.state
        guard !state.isLoading || state.lastLoad <= member.position.seriesLoad else { return }
        member.loadTime = context.clock.monotonicTime
        context.because(.trigger) { _ = resource.load() }
    }

    /// Reacts to the end of a load, whoever has started it.
    func loadEnded(_ resource: Resource, _ event: ResourceEvent) {
        guard let member = resource.known(LiveMember.self), member.stream === self else { return }
        let state = resource.state
        switch event {
        case .newData, .notModified:
            if state.source != .local { member.position.version = state.data.flatMap(source.version) }
            member.failures = ReconnectRules()
            let rest = member.position.rest(of: member.held)
            member.held = []
            show(resource)
            continueDelivery(rest)
            if phase.isOpen, state.hasData, !isCaughtUp(resource), !member.isComputing { scheduleLoad(resource) }
        case .error:
            guard phase.isOpen, !isCaughtUp(resource) else { return }
            member.held = []
            let now = context.clock.monotonicTime
            let delay = member.failures.delay(
                at: now, retryAfter: state.error?.retryAfter, fraction: context.clock.fraction)
            member.loadTime = now + delay - 1
            if state.hasData { scheduleLoad(resource) }
        default: break
        }
    }

    // MARK: Updates

    /// Asks the app what events mean.
    @concurrent
    private nonisolated func deliveries(_ events: [ServerEvent]) async -> [LiveDelivery] {
        var deliveries: [LiveDelivery] = []
        for event in events {
            guard let route = source.route else {
                for entry in all { add(event, entry, to: &deliveries) }
                continue
            }
            guard let path = route(event) else { continue }
            let address = path.contains("://") ? path : root + (path.hasPrefix("/") ? path.dropFirst() : path[...])
            if let entry = directory.withLock({ $0.byAddress[address] }) { add(event, entry, to: &deliveries) }
        }
        return deliveries
    }

    private nonisolated func add(
        _ event: ServerEvent, _ entry: Entry, to deliveries: inout [LiveDelivery]
    ) {
        let resource = entry.resource
        do {
            guard let update = try source.update(event, entry.url) else { return }
            deliveries.append(LiveDelivery(resource, update, id: event.id).prepared(by: entry.processing))
        } catch {
            SiestaLog.log(.staleness, ["A resource is loaded, because an event cannot be read:", error])
            deliveries.append(LiveDelivery(resource, .invalidate, id: event.id))
        }
    }

    /// Prepares the updates of a sequence.
    @concurrent
    private nonisolated func deliveries(_ updates: [LiveUpdate], of resource: Resource) async -> [LiveDelivery] {
        guard let entry = directory.withLock({ $0.byAddress[resource.address] }) else { return [] }
        return updates.map { LiveDelivery(resource, $0, id: "").prepared(by: entry.processing) }
    }

    private nonisolated var all: [Entry] {
        directory.withLock { directory in
            let all = directory.all ?? Array(directory.byAddress.values)
            directory.all = all
            return all
        }
    }

    /// Carries out updates, in their order. Returns true if one of them asks for a new beginning.
    private nonisolated func deliver(_ deliveries: [LiveDelivery], _ run: Int) async -> Bool {
        guard !deliveries.isEmpty else { return false }
        var (bases, isReset) = await take(deliveries, run)
        while !bases.isEmpty {
            let results = await Self.apply(bases)
            bases = await finish(results, run)
        }
        return isReset
    }

    /// Carries out updates that have waited.
    private func continueDelivery(_ deliveries: [LiveDelivery]) {
        guard !deliveries.isEmpty else { return }
        let (bases, _) = take(deliveries, run)
        guard !bases.isEmpty else { return }
        Task { [run] in
            var bases = bases
            while !bases.isEmpty { bases = finish(await Self.apply(bases), run) }
        }
    }

    @concurrent
    private nonisolated static func apply(_ bases: [LiveBase]) async -> [(LiveBase, LiveDelivery)] {
        bases.map { base in
            var delivery = base.delivery
            delivery.result = base.applied()
            return (base, delivery)
        }
    }

    private func take(_ deliveries: [LiveDelivery], _ run: Int) -> (bases: [LiveBase], isReset: Bool) {
        var (bases, isReset): ([LiveBase], Bool) = ([], false)
        context.clock.whileCurrent {
            for delivery in deliveries {
                guard run == self.run, let member = delivery.resource.known(LiveMember.self), member.stream === self
                else { continue }
                if case .reset = delivery.update.change {
                    isReset = true
                    continue
                }
                guard !member.isComputing else {
                    hold(delivery, member)
                    continue
                }
                if let base = take(delivery, member) { bases.append(base) }
            }
        }
        return (bases, isReset)
    }

    /// Carries out one update. Returns the base if it is a patch, which must be applied outside the main actor.
    private func take(_ delivery: LiveDelivery, _ member: LiveMember) -> LiveBase? {
        let resource = delivery.resource
        let state = resource.state
        switch member.position.decide(delivery.update, Self.facts(state, member)) {
        case .ignore: break
        case .hold: hold(delivery, member)
        case .load: outdate(resource, member)
        case .apply:
            switch delivery.update.change {
            case .remove:
                member.position.version = delivery.update.version
                resource.removeLiveData()
                show(resource)
            case .merge, .patch:
                guard let data = state.data else { return nil }
                member.isComputing = true
                let resolved = resource.resolvedConfiguration(for: .get)
                return LiveBase(
                    delivery: delivery, entity: UncheckedSendable(data), revision: state.dataRevision,
                    encoder: resolved.configuration.encoding, processing: resolved.processing)
            default:
                if case .replace(let bytes, _) = delivery.update.change, member.body?.bytes == bytes,
                    member.body?.revision == state.contentRevision, isCaughtUp(resource)
                {
                    member.position.version = delivery.update.version ?? member.position.version
                    return nil
                }
                set(delivery, member)
            }
        }
        return nil
    }

    /// Takes the results of patches, and the updates that have waited for them.
    private func finish(_ results: [(LiveBase, LiveDelivery)], _ run: Int) -> [LiveBase] {
        var bases: [LiveBase] = []
        context.clock.whileCurrent {
            for (base, delivery) in results {
                guard run == self.run, let member = delivery.resource.known(LiveMember.self), member.stream === self
                else { continue }
                member.isComputing = false
                var next: [LiveDelivery] = []
                if delivery.resource.state.dataRevision == base.revision {
                    set(delivery, member)
                } else {
                    next = [base.delivery]  // The data has changed meanwhile.
                }
                next += exchange(&member.held, with: [])
                bases += take(next, run).bases
            }
        }
        return bases
    }

    /// Makes the result of an update the data.
    private func set(_ delivery: LiveDelivery, _ member: LiveMember) {
        let resource = delivery.resource
        guard case .success(let entity) = delivery.result else {
            if case .failure(let error) = delivery.result {
                SiestaLog.log(.staleness, [resource, "is loaded, because an update cannot be applied:", error])
            }
            return outdate(resource, member)
        }
        member.position.version = delivery.update.version ?? source.version(entity)
        resource.setLiveData(entity, isCurrent: phase.isOpen)
        if case .replace(let bytes, _) = delivery.update.change {
            member.body = (bytes, resource.state.contentRevision)
        } else {
            member.body = nil
        }
        show(resource)
    }

    private func hold(_ delivery: LiveDelivery, _ member: LiveMember) {
        guard member.held.count < LiveMember.heldLimit else {
            member.held = []
            return outdate(delivery.resource, member)
        }
        member.held.append(delivery)
    }

    /// Notes that the data of a resource is about to be wiped.
    func wipe(_ resource: Resource) {
        guard let member = resource.known(LiveMember.self), member.stream === self else { return }
        member.reset()
        member.position.seriesLoad = resource.state.lastLoad
        show(resource)
    }

    /// Notes that the data lacks a change, and loads the resource if it is observed.
    private func outdate(_ resource: Resource, _ member: LiveMember) {
        member.position.seriesLoad = resource.state.lastLoad
        member.body = nil
        resource.outdateLiveData()
        show(resource)
        if phase.isOpen { scheduleLoad(resource) }
    }

    // MARK: What people see

    private func showAll() {
        for resource in members.values { show(resource) }
    }

    /// Brings the state of a resource up to date: what people see, and whether its data counts as fresh.
    private func show(_ resource: Resource) {
        guard let member = resource.known(LiveMember.self) else { return }
        let isLive = member.stream === self && isCaughtUp(resource)
        if resource.state.freshness.isGuaranteed != isLive { resource.setGuarantee(isLive) }
        if !isLive {
            member.liveSince = nil
        } else if member.liveSince == nil {
            member.liveSince = Date(timeIntervalSinceReferenceDate: context.clock.wallTime)
        }
        member.set(member.stream === self ? state(member) : .off, of: resource)
    }

    private func state(_ member: LiveMember) -> LiveState {
        switch phase {
        case .connecting: .connecting
        case .open: member.liveSince.map { .live(since: $0) } ?? .catchingUp
        case .waiting(let error, let next):
            source.pollingInterval == nil ? .failed(error, nextAttempt: next) : .polling(nextAttempt: next)
        case .failed(let error):
            source.pollingInterval == nil ? .failed(error, nextAttempt: nil) : .polling(nextAttempt: nil)
        }
    }
}
