/// One step of a ``Pipeline``: transformers that run in the order in which they were added, then an optional cache for
/// their result.
public struct PipelineStage: Sendable {
    private(set) var transformers: [any ResponseTransformer] = []
    package var cache: (any StageCache)?
    /// The content types that a transformer without a filter reads, such as the decoder of a rule; see ``AcceptField``.
    var decodedTypes: [String] = []

    /// Creates a stage without transformers and without a cache.
    public init() {}

    /// Adds a transformer that runs on every response, after the transformers that were added earlier.
    public mutating func add(_ transformer: any ResponseTransformer) {
        transformers.append(transformer)
    }

    /// Adds a transformer that runs on responses whose `Content-Type` matches one of `contentTypes`.
    ///
    /// In a pattern, `*` matches one or more characters up to the next `/` or `+`. Case and parameters such as
    /// `charset` are ignored. The pattern must match the whole type: `*/json` does not match `application/jsonp`.
    public mutating func add(_ transformer: any ResponseTransformer, contentTypes: [String]) {
        add(ContentTypeFilter(contentTypes: contentTypes, transformer: transformer))
    }

    /// Removes all transformers of this stage, including those that earlier rules added.
    public mutating func removeTransformers() {
        transformers = []
        decodedTypes = []
    }

    /// The same stage, whose transformers leave JSON to Foundation.
    func withFoundationJSON() -> PipelineStage {
        var copy = self
        copy.transformers = transformers.map { $0.withFoundationJSON() }
        return copy
    }

    /// The effect of a new transformer on the transformers that a stage already has.
    public enum MutationAction: Sendable {
        /// Removes the existing transformers.
        case replaceExisting
        /// Keeps the existing transformers, which run before the new transformer.
        case appendToExisting
    }
}
