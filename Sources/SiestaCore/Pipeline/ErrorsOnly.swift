/// Runs a transformer only on failures.
struct ErrorsOnly: ResponseTransformer {
    let transformer: any ResponseTransformer

    func process(_ response: Response) -> Response {
        if case .failure = response { transformer.process(response) } else { response }
    }

    var debugDescription: String { "errors only: \(transformer.debugDescription)" }
}

extension PipelineStage {
    /// Restricts the current transformers of the stage to failures. They return successes unchanged.
    mutating func keepForErrorsOnly() {
        let present = transformers
        removeTransformers()
        for transformer in present { add(transformer as? ErrorsOnly ?? ErrorsOnly(transformer: transformer)) }
    }
}
