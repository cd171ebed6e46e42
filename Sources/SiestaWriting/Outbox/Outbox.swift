import Foundation
import HTTPRules
import SiestaCore

/// The durable changes of a service, which survive the end of the process. A change is on disk before it is sent, and
/// stays there until the server has confirmed it or the app has dropped it.
///
///     service.outbox = Outbox(at: folder)
///
/// Changes are sent when there is a network. Changes with the same ``ChangeOptions/scope`` are sent one after the
/// other. If the outbox sends a change more than once, each request carries the same `Idempotency-Key`, so a server
/// that supports the key applies the change only once. If the process ends before a change is confirmed, the next
/// process shows the change again, applied to the data from the caches, and sends it.
///
/// A change is sent only for the principal who made it. The outbox does not store credentials. The session adds them
/// when a request is sent.
///
/// Use an outbox on the main actor. The module `SiestaStorage` creates outboxes in folders, and `SiestaSQLite` in
/// databases. Only one outbox at a time can use a folder or a database.
@MainActor
public final class Outbox {
    /// The number of requests that are sent at the same time.
    private static let concurrency = 8
    /// The longest wait after an attempt without a result, in seconds.
    private static let backoff = Backoff(first: 1, limit: 300, jitter: 0.5)

    let store: any OutboxStore
    var rules = OutboxRules()
    private(set) var isOpen = false
    private(set) weak var context: ResourceContext?
    private let tracked = TrackedProperty()
    var work = OutboxWork()
    private var loading: Task<Void, Never>?
    /// The changes of the current principal.
    var changes = KeptChanges()
    /// The changes of the last principal, until it is announced that there is another. The observers of their resources have
    /// not been told.
    var hidden: [PendingChange] = []
    var sendingCount = 0
    /// The changes that are becoming part of the data, by scope.
    var settling: [ExactText: Settling] = [:]
    /// The entries that have left the rules; see ``forget(_:after:)`` for those that are still stored.
    var finished = FinishedEntries()
    /// The number of conflicts about which the app is asked, and of confirmed changes that wait for caches.
    var resolvingCount = 0
    private(set) var isClosed = false
    private var closing: Task<Void, Never>?
    private var idle: [CheckedContinuation<Void, Never>] = []

    /// The number of stored changes that cannot be read, because they are damaged or encrypted with another key. These
    /// changes stay on disk until ``discardUnreadable()`` is called.
    public internal(set) var unreadableCount = 0

    /// The error that prevents the outbox from reading or writing its store; nil if the store works. If the store
    /// cannot be opened, no change is accepted. After a failed write, the outbox tries again when the next change is
    /// made, but no later than after 30 seconds. If the process ends before a write succeeds, changes that were
    /// confirmed or dropped since the failure may be sent again after the restart.
    public internal(set) var failure: (any Error)?

    /// The maximum number of entries. The default is 10 000. A change that exceeds this limit is not accepted. Lowering
    /// the limit does not remove entries.
    public var entryLimit: Int {
        get { rules.limits.entries }
        set { rules.limits.entries = newValue }
    }

    /// The maximum total size of all entries, in bytes, including bodies and copied files. The default is 256 MB. A
    /// change that exceeds this limit is not accepted. Lowering the limit does not remove entries.
    public var byteLimit: Int {
        get { rules.limits.bytes }
        set { rules.limits.bytes = newValue }
    }

    /// The maximum time for which an entry waits to be sent. The default is 30 days; nil means no limit. An entry that
    /// has waited longer gets the state ``Outbox/Entry/State/refused(status:message:)``, and stays until the app drops,
    /// edits or retries it.
    public var ageLimit: Duration? {
        get { rules.limits.age }
        set { rules.limits.age = newValue }
    }

    package init(_ store: any OutboxStore) { self.store = store }

    /// The changes of all principals, in the order in which they were made. Observation tracks this property. The array
    /// is empty until the store has been read; see ``isLoaded()``. Reading this property takes time proportional to the
    /// number of entries.
    ///
    /// A confirmed entry stays in the array, in the state ``Outbox/Entry/State/confirmed``, until its change is part of
    /// the data. Therefore, if the store has been read and the array is empty when a load begins, no durable change
    /// alters the loaded data.
    public var entries: [Outbox.Entry] {
        tracked.access()
        guard !finished.shown.isEmpty else { return rules.entries }
        let ending = finished.shown.values.filter { rules[$0.id] == nil }
        return (rules.entries + ending).sorted { $0.number < $1.number }
    }

    /// Returns the obstacle that prevents a queued entry from being sent: an earlier entry, or the unknown URL of a
    /// created resource. Returns nil if there is no such obstacle. The entry may still have to wait for the network or
    /// for its principal.
    public func obstacle(for id: Outbox.Entry.ID) -> Outbox.Obstacle? {
        tracked.access()
        return rules.obstacle(for: id)
    }

    /// Waits until the store has been read. Reading begins when the outbox is set as the ``Service/outbox`` of a
    /// service. If the outbox belongs to no service, this method returns at once.
    public func isLoaded() async { await loading?.value }

    // MARK: The service

    /// Reads the store, shows the changes, and begins to send them. Returns false if the outbox belongs to another service,
    /// or has ended.
    func attach(to context: ResourceContext) -> Bool {
        guard self.context == nil, !isClosed else { return false }
        self.context = context
        loading = Task { await load() }
        return true
    }

    private func load() async {
        do {
            let contents = try await store.load()
            (rules, unreadableCount, failure) = (
                OutboxRules(contents.entries, limits: rules.limits), contents.unreadable, nil
            )
            if contents.unreadable > 0 { rules.passUnreadable(at: now) }
            isOpen = true
            for entry in contents.entries where entry.state == .confirmed { finished.store(entry) }
            reveal()
            forgetConfirmed()
        } catch {
            failure = error
            SiestaLog.emit(.cache, ["The outbox cannot be opened:", error])
        }
        entriesChanged {}
        run()
    }

    /// Stops sending, hides the changes, and releases the store. What the app has asked for before is still stored.
    func detach() {
        guard !isClosed else { return }
        isClosed = true
        principalWillChange()
        context?.device.stopWaiting(self)
        context = nil
        entriesChanged { finished.hideAll() }
        closing = Task {
            await loading?.value
            await allIsDecided()
            await storeRest()
            await store.close()
        }
        for change in hidden { change.delegate.sent.take()?.cancel() }
        endHidden()
        resumeWaiting()
    }

    /// Ends the outbox: it sends no more requests, and its changes disappear from the screen. The changes stay on disk.
    /// When this method returns, another outbox can use the folder. If you replace the ``Service/outbox``, the old
    /// outbox ends in the same way.
    public func close() async {
        if context?.outbox === self { context?.outbox = nil }
        detach()
        await closing?.value
    }

    var principal: String? { context?.authentication?.currentPrincipal }

    // MARK: Sending

    /// Changes the entries, and tells Observation.
    func entriesChanged(_ change: () -> Void) {
        tracked.willSet()
        change()
        tracked.didSet()
    }

    /// Plans the requests that can be sent now.
    func planRequests() {
        guard let context, isOpen else { return }
        expire()
        let isConnected = context.device.isConnected
        // Its return also ends the delays that have begun before its loss was known.
        if !isConnected || rules.count > 0 {
            context.device.waitForNetwork(self) { [weak self] in self?.resumeUnasked() }
        }
        while sendingCount < Self.concurrency, let entry = rules.next(for: principal, isConnected: isConnected) {
            var step: OutboxStep?
            entriesChanged { step = try? rules.started(entry.id) }
            guard let step else { return }
            sendingCount += 1
            var file: URL?
            let prepare = entry.request.body.keptName.map { [self] name in
                { [self] in file = (try? await store.url(of: name)) ?? nil }
            }
            let started = { (rules: inout OutboxRules) throws(OutboxError) -> [OutboxStep] in [rules.latest(step)] }
            perform(.decision, preparedBy: prepare, deciding: started) { [self] result in
                switch result {
                case .success: send(entry.id, file)
                case .failure: ended(entry.id, .notSent, attempts: entry.attempts + 1, atLeast: nil)
                }
            }
        }
    }

    /// Refuses the entries that have waited too long.
    private func expire() {
        let step = rules.expire(at: now, message: UserMessages.current.cannotSendRequest)
        guard !step.changes.isEmpty else { return }
        let stored = { (rules: inout OutboxRules) throws(OutboxError) -> [OutboxStep] in [rules.latest(step)] }
        perform(.outcome, deciding: stored) { [self] _ in
            for (id, change) in changes.all where change.state == .waiting {
                guard case .refused = rules[id]?.state else { continue }
                block(change, .refused, change.failure(OutboxError.tooOld(id: id)))
            }
        }
    }

    /// Records the end of an attempt. After an attempt without a result, the scope waits: longer after each attempt, and at
    /// least as long as the server asks for.
    func ended(
        _ id: String, _ outcome: OutboxRules.Outcome, attempts: Int, atLeast minimum: TimeInterval?,
        version: Outbox.Condition? = nil,
        _ done: @escaping (Result<[OutboxStep], any Error>) -> Void = { _ in }
    ) {
        sendingCount -= 1
        // This runs code of the app, which may use the outbox. Therefore it comes before the decision.
        let mayBeCached = rules[id].map { self.mayBeCached($0) } ?? false
        let end = { [self] (rules: inout OutboxRules) throws(OutboxError) -> [OutboxStep] in
            let step = keepingConfirmed(rules.ended(id, outcome, version: version), mayBeCached: mayBeCached)
            if let entry = step.entry, entry.state == .confirmed, !isClosed { finished.show(entry) }
            // The next decision, before this one is stored, may be about a change of the created resource.
            if let url = step.createdURL { changes[id]?.createdURL = url }
            if step.entry?.state == .queued { pause(id, attempts: attempts, atLeast: minimum, &rules) }
            return [step]
        }
        perform(.outcome, deciding: end, done)
    }

    private func pause(_ id: String, attempts: Int, atLeast minimum: TimeInterval?, _ rules: inout OutboxRules) {
        guard let clock = context?.clock, let pause = rules.pause(id, isAsked: minimum != nil) else { return }
        let delay = max(minimum ?? 0, Self.backoff.delay(doublings: attempts, fraction: clock.fraction))
        clock.schedule(after: delay) { [weak self] in
            self?.rules.resume(pause)
            self?.run()
        }
    }

    // MARK: Waiting

    /// Waits until the outbox is idle: all changes are stored, confirmed changes are part of the data, and no other
    /// change can be sent now.
    ///
    /// When this method returns, the remaining ``entries`` wait for the network, for their next attempt, for their
    /// principal, or for the app's decision.
    public func settled() async {
        await loading?.value
        while context != nil, isBusy { await nextIdle() }
    }

    private var isBusy: Bool { isStoring || sendingCount > 0 || !finished.shown.isEmpty }

    /// True if entries are read or stored, or if a conflict is being resolved.
    var isStoring: Bool { work.isRunning || resolvingCount > 0 || !work.waiting.isEmpty }

    /// Notes that the app has decided about a conflict, or that a change has its data.
    func resolved() {
        resolvingCount -= 1
        run()
    }

    /// Resumes the tasks that wait until nothing waits to be stored.
    func resumeWaiting() {
        for continuation in exchange(&idle, with: []) { continuation.resume() }
    }

    /// Waits until the rules contain everything that the app has decided so far. When this function returns, no decision waits.
    func allIsDecided() async {
        while work.isRunning || !work.waiting.isEmpty { await nextIdle() }
    }

    /// Waits until nothing waits to be stored, or until the outbox has ended.
    private func nextIdle() async {
        await withCheckedContinuation { idle.append($0) }
    }
}

extension Outbox {
    /// The obstacle that prevents a queued entry from being sent; see ``Outbox/obstacle(for:)``.
    public enum Obstacle: Equatable, Sendable {
        /// An earlier entry of the same scope has not been confirmed or dropped yet.
        case earlierEntry(id: String)
        /// The entry that creates the resource has not been confirmed yet.
        case creation(id: String)
        /// The URL of the resource is unknown: the entry that should have created it was dropped, or the server sent no
        /// URL of the same origin. The app must drop the waiting entry, or set its URL with ``Outbox/edit(_:_:)``.
        case unknownAddress
    }
}
