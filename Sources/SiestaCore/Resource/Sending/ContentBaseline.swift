import Foundation
import HTTPRules

/// The data of a resource before a load, and the rule that decides whether a response has the same content.
///
/// The values do not change, and any thread may use them. The content crosses threads as in ``UncheckedSendable``.
package final class ContentBaseline: Sendable {
    private let detection: ChangeDetection
    private let data: UncheckedSendable<Entity<Any>?>
    private let revision: UInt32
    private let fingerprint: BodyFingerprint?

    @MainActor
    init(_ resource: Resource, _ records: ContentRecords, _ resolved: ConfigurationSet.Resolved) {
        let state = resource.state
        detection = resolved.configuration.changeDetection
        revision = state.contentRevision
        data = UncheckedSendable(detection.isOn && records.isMadeBy(resolved, of: resource) ? state.serverData : nil)
        fingerprint = records.fingerprint(of: resource)
    }

    /// The fingerprint of a response; nil if bodies are not compared.
    func fingerprint(of body: Data, contentType: String?) -> BodyFingerprint? {
        guard case .bytes = detection else { return nil }
        return BodyFingerprint(body, contentType: contentType)
    }

    /// Returns true if a response has the same body as the current data, or the same strong entity tag.
    ///
    /// - Parameter received: The response before the pipeline.
    func isSameVersion(_ received: Entity<Any>, _ fingerprint: BodyFingerprint?) -> Bool {
        guard let data = data.value else { return false }
        if let fingerprint, fingerprint == self.fingerprint { return true }
        guard let tag = received.etag, !tag.hasPrefix("W/") else { return false }
        return received.validator != nil && data.etag?.hasSameBytes(as: tag) == true
    }

    /// Returns true if processed content equals the content of the current data.
    func isEqual(_ content: Any) -> Bool {
        guard case .equatable = detection, let data = data.value else { return false }
        if let old = data.content as? String, let new = content as? String { return StreamSafety.areEqual(old, new) }
        guard let old = data.content as? any Equatable else { return false }
        return old.isSame(as: content)
    }

    /// Returns the current content with the headers of a response that does not change it.
    func renewed(by response: Entity<Any>) -> Entity<Any> {
        data.value.map { response.withContent($0.content) } ?? response
    }

    /// Returns the comparison of a response.
    func comparison(_ body: Data?, _ fingerprint: BodyFingerprint?, isUnchanged: Bool) -> ContentComparison {
        ContentComparison(
            byteCount: body?.count ?? 0, fingerprint: fingerprint, unchangedRevision: isUnchanged ? revision : nil)
    }
}

extension Equatable {
    fileprivate func isSame(as other: Any) -> Bool { (other as? Self) == self }
}
