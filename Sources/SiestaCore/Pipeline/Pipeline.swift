/// The stages that convert a response body to the app's content. The stages run one after another, off the main thread.
///
/// The standard order is raw data, decoding, parsing, model, and cleanup. Each stage has transformers and can have a
/// cache.
public struct Pipeline: Sendable {
    /// The stages that run, in this order. Each stage may appear only once; otherwise, a runtime error stops the
    /// process.
    public var order: [PipelineStageKey] = [.rawData, .decoding, .parsing, .model, .cleanup] {
        didSet {
            precondition(Set(order).count == order.count, "Pipeline.order names a stage twice: \(order)")
        }
    }

    private var stages: [PipelineStageKey: PipelineStage] = [:]

    /// Creates a pipeline in the standard order with empty stages.
    public init() {}

    /// The stage with this key; an empty stage if the pipeline has none.
    ///
    /// You can configure a stage that ``order`` does not contain, but the stage does not run.
    public subscript(key: PipelineStageKey) -> PipelineStage {
        get { stages[key] ?? PipelineStage() }
        set { stages[key] = newValue }
    }

    /// Removes the transformers of all stages.
    public mutating func removeAllTransformers() {
        for key in stages.keys { stages[key]?.removeTransformers() }
    }

    /// Removes the caches of all stages.
    public mutating func removeAllCaches() {
        for key in stages.keys { stages[key]?.doNotCache() }
    }

    /// Removes the transformers and caches of all stages.
    public mutating func clear() {
        removeAllTransformers()
        removeAllCaches()
    }

    /// Adds one of the transformers that services have by default.
    public mutating func add(_ transformer: StandardTransformer) {
        transformer.add(&self)
    }

    var stagesInOrder: [PipelineStage] {
        for key in keysOutOfOrder where !self[key].transformers.isEmpty {
            SiestaLog.log(
                .pipeline, ["Warning: stage", key, "does not run: it is not in the pipeline's order", order])
        }
        return order.map { self[$0] }
    }

    /// The keys of configured stages that ``order`` does not contain. These stages do not run.
    var keysOutOfOrder: [PipelineStageKey] { stages.keys.filter { !order.contains($0) } }
}
