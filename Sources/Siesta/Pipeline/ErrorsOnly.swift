/// Runs a transformer on failures alone.
struct ErrorsOnly: ResponseTransformer {
    let transformer: any ResponseTransformer

    func process(_ response: Response) -> Response {
        if case .failure = response { transformer.process(response) } else { response }
    }

    var debugDescription: String { "errors only: \(transformer.debugDescription)" }
}

extension PipelineStage {
    /// Makes the transformers that the stage has leave successes as they are.
    mutating func keepForErrorsOnly() {
        let present = transformers
        removeTransformers()
        for transformer in present { add(transformer as? ErrorsOnly ?? ErrorsOnly(transformer: transformer)) }
    }
}
