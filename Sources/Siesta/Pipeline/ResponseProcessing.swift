import Foundation

/// Runs responses through the stages of one pipeline; a value that any thread may use.
struct ResponseProcessing: Sendable {
    /// What a stage with a cache made of a successful response.
    struct CacheableOutput {
        let stage: Int
        let entity: Entity<Any>
        /// The headers of the response as they came.
        let response: HeaderFields
    }

    let stages: [PipelineStage]

    init(_ pipeline: Pipeline) {
        stages = pipeline.stagesInOrder
        hasCache = stages.contains { $0.cache != nil }
        let transformers = stages.flatMap(\.transformers)
        let filters = transformers.compactMap { $0 as? ContentTypeFilter }
        types = filters.count == transformers.count ? filters.flatMap(\.patterns) : nil
    }

    let hasCache: Bool

    /// The types that transformers look at; nil if one looks at responses of any type.
    private let types: [ContentTypePattern]?

    /// Whether no transformer would look at `response`, so that it need not go to another thread.
    ///
    /// - Parameter contentType: the `Content-Type` header of a success, if the caller has looked for it already.
    func ignores(_ response: Response, contentType: String? = nil) -> Bool {
        guard let types else { return false }
        guard let contentType = contentType ?? response.contentType else { return true }
        return contentType.withUTF8Bytes { bytes in
            let essence = MediaType.essence(of: bytes)
            return !types.contains { $0.matches(essence: essence) }
        }
    }

    /// Runs all stages.
    ///
    /// A success without content, such as 204 (RFC 9110 §15.3.5) or a bodiless 201, skips the transformers that convert
    /// content.
    func process(_ response: Response, hasNoContent: Bool) -> (response: Response, outputs: [CacheableOutput]) {
        let fields = response.headerFields
        var response = response
        var outputs: [CacheableOutput] = []
        for (index, stage) in stages.enumerated() {
            response = stage.process(response, hasNoContent: hasNoContent)
            if stage.cache != nil, case .success(let entity) = response {
                outputs.append(CacheableOutput(stage: index, entity: entity, response: fields))
            }
        }
        if case .failure = response { outputs.removeAll { stages[$0.stage].cache?.keepsWhatSucceeds ?? false } }
        return (response, outputs)
    }

    /// Whether a cache could not be asked, since it is not known whose data it is.
    @MainActor var lacksPrincipal: Bool { stages.contains { $0.cache?.lacksPrincipal ?? false } }

    /// Runs the stages that follow `stage` on an entity that was cached after it.
    func process(_ entity: Entity<Any>, after stage: Int) -> Response {
        let hasNoContent = (entity.content as? Data)?.isEmpty ?? false
        return stages[(stage + 1)...].reduce(.success(entity)) { $1.process($0, hasNoContent: hasNoContent) }
    }
}

extension PipelineStage {
    fileprivate func process(_ response: Response, hasNoContent: Bool) -> Response {
        transformers.reduce(response) { response, transformer in
            hasNoContent && transformer.convertsContent ? response : transformer.process(response)
        }
    }
}

/// A transformer that is nothing but a conversion of content, and so has nothing to do where there is none.
private protocol ContentConverting {}

extension ResponseContentTransformer: ContentConverting {}

extension ResponseTransformer {
    fileprivate var convertsContent: Bool {
        self is any ContentConverting || (self as? ContentTypeFilter)?.transformer is any ContentConverting
    }
}

extension Response {
    fileprivate var headerFields: HeaderFields {
        switch self {
        case .success(let entity): entity.headerFields
        case .failure(let error): error.entity?.headerFields ?? HeaderFields([String: String]())
        }
    }
}
