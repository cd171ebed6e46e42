import Dispatch
import Foundation
import Isolation
import SiestaCore
import SiestaRecording
import SiestaRetrying

/// Collects what a service does, and sends the changes to the pages.
///
/// Events arrive on any thread, and cost the main actor nothing. Ten times a second at most, the main actor reads the
/// states of the resources that have changed; everything else happens elsewhere.
final class InspectorFeed: Sendable {
    /// The time between two updates of the page, in seconds.
    static let interval: TimeInterval = 0.1

    private struct Link: Sendable {
        var server: InspectorServer?
        var isScheduled = false
    }

    private let model = Locked(InspectorModel())
    private let link = Locked(Link())
    @MainActor private(set) weak var service: Service?

    @MainActor
    init(_ service: Service) { self.service = service }

    /// Begins to feed a server. Forgets what an earlier one was told: nobody has read the events since, so that requests that
    /// have ended would count as running for ever.
    func open(_ server: InspectorServer) {
        model.withLock { $0 = InspectorModel() }
        link.withLock { $0.server = server }
    }

    func close() { _ = link.withLock { exchange(&$0.server, with: nil) } }

    // MARK: News

    /// Reads events until the task is cancelled, in batches: a wake of this task for each event would cost the main actor
    /// several times as much as the event itself.
    @concurrent
    func read(_ events: some AsyncSequence<ActivityEvent, Never>) async {
        var batchEnds = DispatchTime.now()
        for await event in events {
            guard !Task.isCancelled else { return }  // The model may be that of the next start.
            note(event)
            guard DispatchTime.now() > batchEnds else { continue }
            try? await Task.sleep(for: .milliseconds(50))
            batchEnds = .now() + .milliseconds(1)
        }
    }

    private func note(_ event: ActivityEvent) {
        model.withLock { $0.note(event) }
        schedule()
    }

    func note(_ category: SiestaLog.Category, _ message: String) {
        let time = Date().timeIntervalSince1970
        model.withLock { $0.note("\(category)", message, at: time) }
        schedule()
    }

    /// Makes a resource count as changed.
    func touch(_ number: Int) {
        model.withLock { $0.touch(number) }
        schedule()
    }

    /// Returns the address of a resource by its number; nil if the service has dropped it.
    func address(of number: Int) -> String? { model.withLock { $0.addresses[number]?.address } }

    /// Plans an update of the page, unless one is planned or no page is open.
    private func schedule() {
        let mustSchedule = link.withLock { link in
            guard !link.isScheduled, link.server?.hasReaders == true else { return false }
            link.isScheduled = true
            return true
        }
        guard mustSchedule else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.interval) {
            Task { await self.update() }
        }
    }

    /// Finds new resources, and sends changes that no event announces. Called once a second.
    func refresh() async {
        let known = model.withLock { $0.resourceCount }
        guard link.withLock({ $0.server?.hasReaders == true }) else { return await forgetDropped(known) }
        if let addresses = await changedAddresses(known) {
            model.withLock { model in
                for address in addresses { _ = model.discover(address) }
                let current = Set(addresses)
                for (number, entry) in model.addresses where !current.contains(entry.address) { model.touch(number) }
            }
        }
        if hasChanges { schedule() }
    }

    /// True if the next update has something to send.
    var hasChanges: Bool { model.withLock { !$0.changes.isEmpty } }

    /// The number of resources that the page knows.
    var resourceCount: Int { model.withLock { $0.resourceCount } }

    /// Forgets the resources that the service has dropped if they are more than the others. With a page, each update
    /// forgets them.
    private func forgetDropped(_ known: Int) async {
        guard let current = await presentAddresses(known) else { return }
        model.withLock { $0.keep(current) }
    }

    @MainActor
    private func presentAddresses(_ known: Int) -> Set<String>? {
        guard known > 2 * (service?.inspectedResourceCount ?? 0) + 1000 else { return nil }
        return Set(service?.inspectedResources.map(\.address) ?? [])
    }

    @MainActor
    private func changedAddresses(_ known: Int) -> [String]? {
        guard let service, service.inspectedResourceCount != known else { return nil }
        return service.inspectedResources.map(\.address)
    }

    // MARK: Updates

    /// Sends what has changed to the pages. The next update begins after the end of this one: if it overtook this one, the
    /// pages would show the older state.
    @concurrent
    private func update() async {
        if let server = link.withLock({ $0.server }) { await sendChanges(to: server) }
        link.withLock { $0.isScheduled = false }
        if hasChanges { schedule() }
    }

    @concurrent
    private func sendChanges(to server: InspectorServer) async {
        let changes = model.withLock { $0.takeChanges() }
        guard !changes.isEmpty else { return }
        guard !changes.hasMissed else { return server.publish(Array("{\"resync\":true}".utf8)) }
        let addresses = model.withLock { model in
            changes.resources.compactMap { number in model.addresses[number].map { (number, $0.address) } }
        }
        let (summaries, origins) = await read(addresses)
        var snapshot = InspectorSnapshot(summaries, origins)
        model.withLock { snapshot.select(changes, from: &$0) }
        server.publish(snapshot.json())
    }

    /// Returns the whole state.
    @concurrent
    func state(_ permissions: Inspector.Permissions) async -> [UInt8] {
        let last = link.withLock { $0.server?.lastEvent ?? 0 }
        let (resources, origins, info) = await readAll()
        var snapshot = InspectorSnapshot([], origins)
        model.withLock { snapshot.selectAll(from: &$0, resources) }
        return snapshot.json { json in
            json.member("lastEvent", last)
            json.member("service", info.name)
            json.member("base", info.base)
            json.member("full", ifTrue: permissions == .full)
            json.member("network", ifTrue: info.switches != nil)
            json.member("recording", ifTrue: info.isRecording)
            if let switches = info.switches {
                json.name("switches")
                switches.write(to: &json)
            }
        }
    }

    // MARK: The main actor

    struct Info: Sendable {
        var name = ""
        var base = ""
        var switches: NetworkSwitches?
        var isRecording = false
    }

    @MainActor
    private func read(_ addresses: [(Int, String)]) -> ([(Int, ResourceSummary?)], [OriginSummary]) {
        (addresses.map { ($0, service?.inspectedResource(at: $1)?.summary) }, service?.inspectedOrigins ?? [])
    }

    @MainActor
    private func readAll() -> ([ResourceSummary], [OriginSummary], Info) {
        guard let service else { return ([], [], Info(name: "The service was released.")) }
        let control = service.interceptor as? NetworkControl
        let info = Info(
            name: PreparedText.line("\(type(of: service))", limit: 100), base: PreparedText.url(service.baseURL),
            switches: control?.switches, isRecording: control?.recorder?.isRecording ?? false)
        return (service.inspectedResources.map(\.summary), service.inspectedOrigins, info)
    }
}
