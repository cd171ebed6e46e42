/// How a response body becomes what the app works with: stages that run one after the other, off the main thread.
///
/// The standard order is raw data, decoding, parsing, model, cleanup. Each stage has transformers and may have a cache.
public struct Pipeline: Sendable {
    /// The stages that run, in order. Naming one twice is a programmer error.
    public var order: [PipelineStageKey] = [.rawData, .decoding, .parsing, .model, .cleanup] {
        didSet {
            precondition(Set(order).count == order.count, "Pipeline.order names a stage twice: \(order)")
        }
    }

    private var stages: [PipelineStageKey: PipelineStage] = [:]

    /// Creates a pipeline in the standard order, with nothing in its stages.
    public init() {}

    /// The stage of that name, empty if nothing was ever added to it.
    ///
    /// A stage that ``order`` does not name may be filled, but does not run.
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

    /// Adds one of the transformers that a service has by default.
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

    /// The stages that do not run.
    var keysOutOfOrder: [PipelineStageKey] { stages.keys.filter { !order.contains($0) } }
}
