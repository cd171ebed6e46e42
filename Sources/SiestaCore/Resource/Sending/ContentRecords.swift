import Foundation

/// The fingerprint and the size of the body from which the content of a resource was made.
final class ContentRecord: ResourceExtension {
    fileprivate struct Body {
        let revision: UInt32
        let byteCount: Int
        let fingerprint: BodyFingerprint?
        /// The configuration whose pipeline has made the content.
        weak var configuration: AnyObject?
    }

    fileprivate var body: Body?
}

/// The records of the resources of a service. A service has them only if it detects changes or limits bytes.
final class ContentRecords: ServiceExtension {
    private unowned let context: ResourceContext
    /// The number of bytes that have arrived since the limit was last applied.
    private var arrived = 0
    /// The limit of the total size of unused resources, in bytes; nil if there is no limit.
    fileprivate(set) var byteLimit: Int? {
        didSet { arrived = 0 }
    }

    init(context: ResourceContext) {
        self.context = context
    }

    /// The fingerprint of the body from which the current content was made; nil if it is unknown.
    func fingerprint(of resource: Resource) -> BodyFingerprint? { current(resource)?.fingerprint }

    /// The size of the body from which the current content was made, in bytes. If it is unknown, as for data from a
    /// persistent cache, the size in the `Content-Length` header, or the size of the content if it is `Data` or text. 0 if
    /// this is unknown, too. A size in a header is limited, so that the sum of such sizes does not overflow.
    func size(of resource: Resource) -> Int {
        if let body = current(resource) { return body.byteCount }
        guard let data = resource.state.data else { return 0 }
        switch data.content {
        case let bytes as Data: return bytes.count
        case let text as String: return text.utf8.count
        default: return data.headerFields["content-length"].flatMap { Int($0) }.map { min(max(0, $0), 1 << 40) } ?? 0
        }
    }

    /// Returns false if a pipeline of another configuration has made the current content.
    func isMadeBy(_ resolved: ConfigurationSet.Resolved, of resource: Resource) -> Bool {
        guard let body = current(resource) else { return true }
        return body.configuration === resolved
    }

    private func current(_ resource: Resource) -> ContentRecord.Body? {
        guard let body = resource.known(ContentRecord.self)?.body, body.revision == resource.state.contentRevision
        else { return nil }
        return body
    }

    /// Records the configuration under which data has come from a cache or from the app.
    func noteCachedData(of resource: Resource) {
        let (byteCount, resolved) = (size(of: resource), resource.resolvedConfiguration(for: .get))
        resource.extended(with: ContentRecord()).body = .init(
            revision: resource.state.contentRevision, byteCount: byteCount, fingerprint: nil, configuration: resolved)
    }

    /// Records the body of a load, if the state of the resource has accepted it.
    func loadEnded(_ resource: Resource, _ event: ResourceEvent, with info: ResponseInfo) {
        guard case .success(let entity) = info.response, let data = resource.state.data,
            resource.state.source != .local, data.headerFields.isCopy(of: entity.headerFields)
        else { return }
        guard let byteCount = info.comparison?.byteCount ?? info.body?.data.count else { return }
        resource.extended(with: ContentRecord()).body = .init(
            revision: resource.state.contentRevision, byteCount: byteCount, fingerprint: info.comparison?.fingerprint,
            configuration: info.comparison?.configuration)
        guard let byteLimit else { return }
        arrived += byteCount
        guard arrived >= max(1, byteLimit / 16) else { return }
        arrived = 0
        MainQueue.async { [weak context] in context?.trimBytes() }
    }
}

extension ResourceContext {
    /// The fingerprints and sizes of the resources' bodies; nil if change detection and limits of bytes are off.
    var contentRecords: ContentRecords? { known(ContentRecords.self) }

    /// The limit of the total size of unused resources, in bytes; nil if there is no limit.
    var byteLimit: Int? {
        get { contentRecords?.byteLimit }
        set {
            guard newValue != nil || contentRecords != nil else { return }
            feature(ContentRecords.self).byteLimit = newValue
            trimBytes()
        }
    }

    /// Drops unused resources, the least recently used first, until the total size of the others is within the limit.
    fileprivate func trimBytes() {
        guard let contentRecords, let byteLimit = contentRecords.byteLimit else { return }
        for resource in registry.elements where resource.standing == .unsettled { _ = resource.settleObservers() }
        var total = 0
        _ = registry.drop(standing: \.standing) { resource, isUnused, _ in
            if isUnused { total += contentRecords.size(of: resource) }
            return false
        }
        let dropped = registry.drop(standing: \.standing) { resource, isUnused, _ in
            guard isUnused, total > byteLimit else { return false }
            let size = contentRecords.size(of: resource)
            total -= size
            return size > 0
        }
        noteDropped(dropped)
    }
}
