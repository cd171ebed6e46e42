import Foundation

/// The fingerprints and sizes of the bodies from which the content of resources was made. A service has this table only
/// if it detects changes or limits bytes.
@MainActor
final class ContentRecords {
    private struct Record {
        weak var resource: Resource?
        let revision: UInt32
        let byteCount: Int
        let fingerprint: BodyFingerprint?
        /// The configuration whose pipeline has made the content.
        weak var configuration: AnyObject?
    }

    private var records: [ObjectIdentifier: Record] = [:]
    private var sweepLimit = SweepLimit()
    /// The number of bytes that have arrived; for the limit of bytes.
    var onArrival: ((Int) -> Void)?

    /// The fingerprint of the body from which the current content was made; nil if it is unknown.
    func fingerprint(of resource: Resource) -> BodyFingerprint? { current(resource)?.fingerprint }

    /// The size of the body from which the current content was made, in bytes. If it is unknown, as for data from a
    /// persistent cache, the size in the `Content-Length` header, or the size of the content if it is `Data` or text. 0 if
    /// this is unknown, too. A size in a header is limited, so that the sum of such sizes does not overflow.
    func size(of resource: Resource) -> Int {
        if let record = current(resource) { return record.byteCount }
        guard let data = resource.state.data else { return 0 }
        switch data.content {
        case let bytes as Data: return bytes.count
        case let text as String: return text.utf8.count
        default: return data.headerFields["content-length"].flatMap { Int($0) }.map { min(max(0, $0), 1 << 40) } ?? 0
        }
    }

    /// Returns false if a pipeline of another configuration has made the current content.
    func isMadeBy(_ resolved: ConfigurationSet.Resolved, of resource: Resource) -> Bool {
        guard let record = current(resource) else { return true }
        return record.configuration === resolved
    }

    private func current(_ resource: Resource) -> Record? {
        guard let record = records[ObjectIdentifier(resource)], record.resource === resource,
            record.revision == resource.state.contentRevision
        else { return nil }
        return record
    }

    /// Records the body of a load, if the state of the resource has accepted it.
    func loadEnded(_ resource: Resource, _ info: ResponseInfo) {
        guard case .success(let entity) = info.response, let data = resource.state.data,
            resource.state.source != .local, data.headerFields.isCopy(of: entity.headerFields)
        else { return }
        guard let byteCount = info.comparison?.byteCount ?? info.body?.data.count else { return }
        sweepIfNeeded()
        records[ObjectIdentifier(resource)] = Record(
            resource: resource, revision: resource.state.contentRevision, byteCount: byteCount,
            fingerprint: info.comparison?.fingerprint, configuration: info.comparison?.configuration)
        onArrival?(byteCount)
    }

    private func sweepIfNeeded() {
        guard sweepLimit.isReached(by: records.count) else { return }
        records = records.filter { $0.value.resource != nil }
        sweepLimit.noteSweep(leaving: records.count)
    }
}
