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
    unowned let context: ResourceContext
    /// The address to which the paths of a route are appended.
    nonisolated let root: String
    /// The request of the stream; nil for a sequence of the app.
    private let request: EventRequest?
    private(set) var phase = Phase.connecting
    private var task: Task<Void, Never>?
    /// A number that changes when the stream stops or starts again. What an earlier run has prepared no longer counts.
    var run = 0
    private var hasOpened = false
    var isPolling = false
    var members = ObjectTable<Resource>()
    /// The resources of the stream, for code outside the main actor.
    let directory = Locked(Directory())

    struct Directory {
        /// The values of ``byAddress``; nil after a change.
        var all: [Entry]?
        var byAddress: [String: Entry] = [:]
    }

    struct Entry {
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
        if phase.isOpen {
            begin(member, of: resource, after: nil)
            if resource.state.hasData { scheduleLoad(resource) }
        }
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
        if !hasOpened || !continues { beginSeries(after: continues ? lastID : nil) }
        hasOpened = true
        showAll()
        loadWhatMayBeOld()
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

    // MARK: What people see

    func showAll() {
        for resource in members.values { show(resource) }
    }

    /// Brings the state of a resource up to date: what people see, and whether its data counts as fresh.
    func show(_ resource: Resource) {
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
