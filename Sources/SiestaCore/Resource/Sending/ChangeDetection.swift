/// The rule that decides whether a response contains new content.
///
/// If the content is not new, observers receive `.notModified` instead of `.newData(.network)`, and the resource keeps
/// its content. The response still confirms the content: the timestamp becomes the current time, in memory and in
/// persistent caches. Any error is cleared, and the entity receives the headers of the response.
///
/// Some servers ignore the condition of a request, and send the current version again. Therefore, ``bytes`` and
/// ``equatable`` also compare strong `ETag` headers (RFC 9110 §8.8.3). If a response has the same strong `ETag` as the
/// current data, it is not new.
///
/// The rule applies to all loads except those that ``Resource/load(using:)`` starts. If the current data was set
/// locally, or if the configuration has changed since the data arrived, the next response counts as new.
public enum ChangeDetection: Sendable {
    /// Every response with a status from 200 to 299 is new. This is the default.
    case always

    /// A response is not new if its body and its content type equal those of the response that produced the current
    /// content. The pipeline does not run for such a response.
    ///
    /// To compare bodies, the resource keeps a fingerprint of the last body, but not the body itself. Data from a
    /// persistent cache has no fingerprint: the first response after such data is compared only by its `ETag`. If a
    /// response is not new, a custom ``EntityCache`` keeps the old headers, because the library updates only the
    /// timestamp of its entity.
    case bytes

    /// A response is not new if its content equals the current content. After the pipeline has processed the response,
    /// the library compares the contents with `==`, off the main thread.
    ///
    /// Without a matching strong `ETag`, content that is not `Equatable`, such as a JSON dictionary, is always new.
    /// Content is also always new if its conformance to `Equatable` is isolated to the main actor. To make such content
    /// comparable, declare its type `nonisolated`.
    case equatable

    /// False if each response is new data.
    var isOn: Bool { self != .always }
}

extension Configuration {
    /// The rule that decides whether a response contains new content. The default is ``ChangeDetection/always``.
    public var changeDetection: ChangeDetection {
        get { self[ChangeDetectionKey.self] }
        set { self[ChangeDetectionKey.self] = newValue }
    }
}

private struct ChangeDetectionKey: FeatureKey {
    static let defaultValue = ChangeDetection.always

    static func prepare(_ context: ResourceContext, for configuration: Configuration) {
        if configuration.changeDetection.isOn { _ = context.feature(ContentRecords.self) }
    }
}
