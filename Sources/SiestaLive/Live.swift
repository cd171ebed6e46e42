import Foundation
import HTTPRules
import SiestaCore

/// The sources of one service, and which resources they keep in step.
final class Live: ServiceExtension {
    private unowned let context: ResourceContext
    private var streams: [LiveStream.Key: LiveStream] = [:]
    private var isJoinScheduled = false
    /// The resources that have left the streams of the last user, until the data of this user is removed.
    private var left: [(resource: Resource, stream: LiveStream)] = []

    init(context: ResourceContext) {
        self.context = context
        _ = context.feature(StreamWaits.self)
    }

    // MARK: Observers

    func observed(_ resource: Resource) {
        join(resource)
        resource.known(LiveMember.self)?.stream?.startIfNeeded()
    }

    /// Watches whether a resource is observed. The end of observers whose owners were released is no event.
    private func watch(_ resource: Resource) {
        guard let member = resource.known(LiveMember.self), !member.isWatched else { return }
        member.isWatched = true
        resource.onObservedChange(owner: member) { [weak self, weak member] resource, isObserved in
            member?.changeCount += 1
            if isObserved { member?.stream?.loadIfOld(resource) } else { self?.linger(resource) }
        }
        if !resource.isObserved { linger(resource) }  // Code of the app has just removed the observers.
    }

    /// Leaves the stream some time after the last observer is gone.
    private func linger(_ resource: Resource) {
        guard let member = resource.known(LiveMember.self) else { return }
        let count = member.changeCount
        context.clock.schedule(after: max(0, member.source?.lingerTime ?? 0)) { [weak self, weak resource] in
            guard let self, let resource, !resource.isObserved,
                resource.known(LiveMember.self)?.changeCount == count
            else { return }
            leave(resource)
        }
    }

    /// Adds an observed resource to the stream of its source, or moves it there.
    private func join(_ resource: Resource) {
        let source = resource.resolvedConfiguration(for: .get).configuration.live
        let old = resource.known(LiveMember.self)?.stream
        guard let source, let target = target(of: source, resource) else {
            if let old, source.map({ !old.mayKeep(resource, $0) }) ?? true { leave(resource) }
            return
        }
        if let old {
            guard old.key != target.key else {
                return old.note(resource)
            }
            if case .mercure = source.origin {
                resource.known(LiveMember.self)?.noteMove(at: context.clock.monotonicTime)
            }
            leave(resource)
        }
        guard resource.isObserved else { return }
        let stream = streams[target.key] ?? LiveStream(target.key, source, target.request, in: context)
        streams[target.key] = stream
        stream.add(resource)
        if resource.state.data?.header(forKey: "Link") != nil { noteLinks(of: resource) }
        watch(resource)
    }

    private func leave(_ resource: Resource) {
        guard let member = resource.known(LiveMember.self) else { return }
        if let stream = member.stream {
            stream.remove(resource)
            if stream.isEmpty {
                stream.stop()
                if streams[stream.key] === stream { streams[stream.key] = nil }
            }
        }
        guard member.stream == nil else { return }  // Code of the app may have added an observer.
        member.isWatched = false
        resource.removeObservers(ownedBy: member)
    }

    /// Returns the stream for a resource; nil while it is not known.
    private func target(of source: LiveSource, _ resource: Resource) -> (key: LiveStream.Key, request: EventRequest?)? {
        var options = EventStream.Options()
        options.silenceLimit = source.silenceLimit
        switch source.origin {
        case .sequence:
            return (LiveStream.Key(source, resource.address, topic: "sequence"), nil)
        case .events(let path):
            let stream = context.resourceOfStream(path)
            return (LiveStream.Key(source, stream.address, topic: ""), EventRequest(resource: stream, options: options))
        case .mercure(let topic, let hubs):
            guard let data = resource.state.data else { return nil }
            // The response to a change may not name the hub.
            let field = data.header(forKey: "Link") ?? resource.known(LiveMember.self)?.linkField
            let links = MercureLinks(field, of: resource)
            guard let hub = links.hub(permitting: hubs) else { return nil }
            let topic = topic ?? links.topic
            let stream = hub.withParam("topic", topic)
            let key = LiveStream.Key(source, hub.address, topic: topic)
            // The URL of a hub may contain a token, another one in each response. An open stream goes on.
            let old = resource.known(LiveMember.self)?.stream
            if let old, old.phase.isOpen, old.key.hasHub(of: key) { return (old.key, nil) }
            if streams[key] == nil {
                let other = streams.values.first { $0 !== old && !$0.phase.hasFailed && $0.key.hasHub(of: key) }
                if let other { return (other.key, nil) }
            }
            return (key, EventRequest(resource: stream, options: options))
        }
    }

    // MARK: Events

    func loadEnded(_ resource: Resource, _ event: ResourceEvent, with info: ResponseInfo) {
        if case .newData = event { noteLinks(of: resource) }
        // Cancellations come also before the data of the last user is removed. No stream may begin then.
        if resource.isObserved, event != .requestCancelled { join(resource) }
        resource.known(LiveMember.self)?.stream?.loadEnded(resource, event)
    }

    /// Keeps the links that a load has brought.
    private func noteLinks(of resource: Resource) {
        guard let data = resource.state.data, let member = resource.known(LiveMember.self) else { return }
        member.linkField = data.header(forKey: "Link")
    }

    func cachedDataArrived(_ resource: Resource, isPushed: Bool) {
        resource.known(LiveMember.self)?.stream?.cachedDataArrived(resource, isPushed: isPushed)
    }

    func hasData(of resource: Resource, asNewAs entity: Entity<Any>) -> Bool {
        guard let member = resource.known(LiveMember.self), let stream = member.stream, member.unnoted == nil,
            resource.state.source != .local, resource.state.hasData || member.position.isRemoved,
            let known = member.position.version,
            let version = member.version(of: entity, stream)
        else { return false }
        return version.isCovered(by: known)
    }

    func becameStale(_ resource: Resource) {
        resource.known(LiveMember.self)?.stream?.becameStale(resource)
    }

    func changeSettled(_ resource: Resource, isDoubtful: Bool) {
        resource.known(LiveMember.self)?.stream?.changeSettled(resource, isDoubtful: isDoubtful)
    }

    /// Resources that are wiped have missed what follows until they are loaded again.
    func cancellation(of resources: [Resource], _ extent: Resource.WipeExtent) -> (() -> Void)? {
        let members = resources.filter { $0.known(LiveMember.self) != nil }
        return {
            for resource in members {
                guard let member = resource.known(LiveMember.self) else { continue }
                if let stream = member.stream { stream.wipe(resource) } else { member.reset() }
            }
        }
    }

    /// The times of the next attempts depend on the device.
    func deviceChanged(_ change: DeviceChange) { for stream in streams.values { stream.showAll() } }

    func retryNow(_ resource: Resource) {
        resource.known(LiveMember.self)?.stream?.retryNow()
    }

    /// Closes the streams of the last user before anything of the next user is shown. Their resources are shown when the data
    /// of the last user is removed, because this tells the app.
    func principalChanged(of resources: [Resource]) {
        for resource in resources {
            guard let member = resource.known(LiveMember.self) else { continue }
            guard let stream = member.stream else {
                member.reset()
                continue
            }
            close(stream)
        }
        // The resources of a stream may be shared by all users although the stream itself is personal.
        for stream in streams.values where stream.isPersonal { close(stream) }
    }

    private func close(_ stream: LiveStream) {
        if streams[stream.key] === stream { streams[stream.key] = nil }
        left += stream.close().map { ($0, stream) }
    }

    func principalDataWasRemoved() {
        for (resource, stream) in exchange(&left, with: []) { stream.show(resource) }
        signedInAgain()  // A stream that all users share may have been refused for lack of a credential.
        joinObserved()
    }

    func signedInAgain() {
        for stream in streams.values { stream.retryIfFailed() }
    }

    /// Moves the observed resources to the sources that they have now, after all changes of the configuration in this turn.
    func configurationChanged() {
        guard !isJoinScheduled else { return }
        isJoinScheduled = true
        MainQueue.async { [weak self] in
            self?.joinObserved()
            self?.isJoinScheduled = false  // Last, because a configurer may change the configuration each time.
        }
    }

    private func joinObserved() {
        for resource in context.resources where resource.isObserved { join(resource) }
    }
}

extension ResourceContext {
    /// The resource of a stream, whose path may have a query.
    fileprivate func resourceOfStream(_ path: String) -> Resource {
        guard path.schemeSeparator == nil else { return service.resource(absoluteURL: path) }
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let resource = service.resource(String(parts[0]))
        return parts.count == 1 ? resource : resource.relative("?" + parts[1])
    }
}
