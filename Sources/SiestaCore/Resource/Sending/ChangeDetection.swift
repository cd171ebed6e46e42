/// The rule that decides whether a response contains new content.
///
/// If the content is not new, observers receive `.notModified` in place of `.newData(.network)`, and the resource keeps
/// its content. The response still counts as a confirmation: the timestamp becomes the current time, in memory and in
/// persistent caches. An error is cleared, and the entity receives the headers of the response.
///
/// Some servers ignore conditions and send the current version again. Therefore ``bytes`` and ``equatable`` also
/// compare the strong `ETag` (RFC 9110 §8.8.3). If the current data has the same `ETag`, the response is not new.
///
/// The rule applies to ``Resource/load()`` and ``Resource/loadIfNeeded()``. A response is never compared with local
/// data. After a change of the configuration, the content of the next response counts as new.
public enum ChangeDetection: Sendable {
    /// Each response with status 200 is new data. This is the default.
    case always

    /// A response is not new if its body and its content type equal those from which the current content was made. For
    /// such a response, the pipeline does not run.
    ///
    /// The resource keeps a fingerprint of the last body instead of the body. Data from a persistent cache has no
    /// fingerprint: the first response after such data is compared only by its `ETag`. Persistent caches keep the
    /// headers of the response that they have stored.
    case bytes

    /// A response is not new if its content equals the current content. The pipeline runs, and the contents are
    /// compared with `==`, off the main thread.
    ///
    /// Content that is not `Equatable`, such as a JSON dictionary, is always new. Content is also always new if its
    /// conformance to `Equatable` is isolated to the main actor. To compare such content, declare its type
    /// `nonisolated`.
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
