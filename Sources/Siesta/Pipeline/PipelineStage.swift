/// One step of a ``Pipeline``: transformers that run in the order they were added, then an optional cache for the
/// result.
public struct PipelineStage: Sendable {
    private(set) var transformers: [any ResponseTransformer] = []
    var cache: (any StageCache)?

    /// Creates a stage with neither transformers nor a cache.
    public init() {}

    /// Appends a transformer that runs on every response.
    public mutating func add(_ transformer: any ResponseTransformer) {
        transformers.append(transformer)
    }

    /// Appends a transformer that runs on responses whose `Content-Type` matches one of `contentTypes`.
    ///
    /// A `*` in a pattern stands for one or more characters up to the next `/` or `+`; case and parameters such as
    /// `charset` are ignored, and the whole type must match: `*/json` is not `application/jsonp`.
    public mutating func add(_ transformer: any ResponseTransformer, contentTypes: [String]) {
        add(ContentTypeFilter(contentTypes: contentTypes, transformer: transformer))
    }

    /// Removes all transformers of this stage, those of earlier configuration included.
    public mutating func removeTransformers() {
        transformers = []
    }

    /// What happens to the transformers that a stage already has when another is configured.
    public enum MutationAction: Sendable {
        /// They are removed.
        case replaceExisting
        /// They stay and run first.
        case appendToExisting
    }
}
