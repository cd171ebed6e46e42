/// The origin of the events of a pipeline, which other threads record.
struct PipelineTrace: Sendable {
    let hub: ActivityHub
    let address: String
    /// The event that causes them.
    let cause: Int?
    let names: PipelineNames

    func record(_ kind: ActivityEvent.Kind) { hub.record(kind, of: address, because: cause) }

    /// Records the redirects that led to a response, if the provider reports them.
    func recordRedirects(of response: NetworkResponse) {
        for hop in response.head?.redirects ?? [] {
            record(.requestRedirected(status: hop.status, location: hop.fields["location"] ?? ""))
        }
    }
}

/// The names of the stages and transformers of a pipeline, in order. They are made once for each configuration, because
/// events need them for each response.
struct PipelineNames: Sendable {
    let stages: [String]
    let transformers: [[String]]

    init(_ pipeline: Pipeline) {
        stages = pipeline.order.map(\.description)
        transformers = pipeline.order.map { pipeline[$0].transformers.map(\.nameInEvents) }
    }

    /// Returns the name of the stage with this index; nil if there is none.
    func stage(_ index: Int) -> String? { stages.indices.contains(index) ? stages[index] : nil }
}
