import Foundation
import HTTPRules

/// Runs responses through the stages of one pipeline. Any thread may use it.
///
/// It is a class, because each request passes it to several functions.
package final class ResponseProcessing: Sendable {
    package let stages: [PipelineStage]

    init(_ pipeline: Pipeline, usesFoundationJSON: Bool = false) {
        let configured = pipeline.stagesInOrder
        stages = usesFoundationJSON ? configured.map { $0.withFoundationJSON() } : configured
        hasCache = stages.contains { $0.cache != nil }
        let transformers = stages.flatMap(\.transformers)
        let filters = transformers.compactMap(\.filter)
        types = filters.count == transformers.count ? filters.flatMap(\.patterns) : nil
        trace = nil
    }

    private init(_ untraced: ResponseProcessing, _ trace: PipelineTrace) {
        (stages, hasCache, types) = (untraced.stages, untraced.hasCache, untraced.types)
        self.trace = trace
    }

    package let hasCache: Bool

    /// The request for which the stages run, if there are listeners.
    let trace: PipelineTrace?

    /// Returns the same processing, which notes its transformations.
    func traced(by trace: PipelineTrace) -> ResponseProcessing { ResponseProcessing(self, trace) }

    /// The content types that the transformers accept; nil if a transformer accepts any type.
    private let types: [ContentTypePattern]?

    /// Returns true if no transformer accepts `response`. Then no other thread needs to process the response.
    ///
    /// - Parameter contentType: The `Content-Type` header of a success, if the caller has already read it.
    func ignores(_ response: Response, contentType: String? = nil) -> Bool {
        guard let types else { return false }
        guard let contentType = contentType ?? response.contentType else { return true }
        return contentType.withUTF8Bytes { bytes in
            let essence = MediaType.essence(of: bytes)
            return !types.contains { $0.matches(essence: essence) }
        }
    }

    /// True if the transformers convert only content, so that the result has the header fields of the response.
    var keepsHeaders: Bool { stages.allSatisfy { $0.transformers.allSatisfy { $0.convertsContent } } }

    /// Returns true if only transformers of the library accept `response`, and no code of the app runs. Then the thread
    /// that has received a short response can process it.
    ///
    /// - Parameter contentType: The `Content-Type` header of a success, if the caller has already read it.
    func runsLibraryCodeOnly(for response: Response, contentType: String? = nil) -> Bool {
        guard !SiestaLog.Category.pipeline.isEnabled else { return false }
        let contentType = contentType ?? response.contentType
        return stages.allSatisfy { stage in
            stage.transformers.allSatisfy { transformer in
                guard let filter = transformer.filter else { return transformer.runsLibraryCodeOnly }
                return !(contentType.map(filter.accepts) ?? false) || filter.transformer.runsLibraryCodeOnly
            }
        }
    }

    /// True if no transformer follows `stage`, so that its output is the result of the pipeline.
    func isResult(of stage: Int) -> Bool { stages[(stage + 1)...].allSatisfy { $0.transformers.isEmpty } }

    /// Runs all stages. If the last result is a failure, omits the outputs for caches that store only entities which
    /// all stages accept.
    ///
    /// A success without content, such as a 204 (RFC 9110 §15.3.5) or a 201 without a body, skips the transformers that
    /// convert content.
    package func process(_ response: Response, hasNoContent: Bool) -> (response: Response, outputs: [CacheableOutput]) {
        let fields = response.headerFields
        var (received, failure): (Entity<Any>?, RequestError?)
        switch response {
        case .success(let entity): received = entity
        case .failure(let error): (received, failure) = (error.entity, error)
        }
        var response = response
        var outputs: [CacheableOutput] = []
        for (index, stage) in stages.enumerated() {
            response = apply(stage, index, to: response, hasNoContent: hasNoContent)
            if stage.cache != nil, case .success(var entity) = response {
                if let received { entity.setOrigin(like: received) }
                outputs.append(CacheableOutput(stage: index, entity: entity, response: fields))
            }
        }
        if case .failure = response {
            outputs.removeAll { stages[$0.stage].cache?.storesOnlySuccesses ?? false }
            outputs += errorOutputs(of: failure, fields)
        }
        return (Self.keepingCachingInfo(of: received, in: response), outputs)
    }

    /// Returns a success with the caching info of the response, even if transformers have made a new entity, or a success
    /// of an error.
    private static func keepingCachingInfo(of received: Entity<Any>?, in response: Response) -> Response {
        guard let received, received.cachingInfo != nil, case .success(var entity) = response, entity.cachingInfo == nil
        else {
            return response
        }
        entity.setOrigin(like: received)
        return .success(entity)
    }

    /// Returns the error response for each cache that stores errors.
    private func errorOutputs(of failure: RequestError?, _ fields: HeaderFields) -> [CacheableOutput] {
        guard hasCache, let entity = failure?.storableResponse else { return [] }
        return stages.enumerated().compactMap { index, stage in
            guard stage.cache?.storesErrors == true else { return nil }
            return CacheableOutput(stage: index, entity: entity, response: fields)
        }
    }

    /// True if a cache cannot be read now because the principal is not known.
    @MainActor func lacksPrincipal(for resource: Resource) -> Bool {
        stages.contains { $0.cache?.lacksPrincipal(for: resource) ?? false }
    }

    /// Runs the stages after `stage` on an entity from that stage's cache.
    package func process(_ entity: Entity<Any>, after stage: Int) -> Response {
        let hasNoContent = (entity.content as? Data)?.isEmpty ?? false
        return stages.indices[(stage + 1)...].reduce(.success(entity)) {
            apply(stages[$1], $1, to: $0, hasNoContent: hasNoContent)
        }
    }

    @inline(__always)
    private func apply(_ stage: PipelineStage, _ index: Int, to response: Response, hasNoContent: Bool) -> Response {
        guard let trace else { return stage.process(response, hasNoContent: hasNoContent) }
        return stage.process(response, hasNoContent: hasNoContent, index, trace)
    }
}

extension PipelineStage {
    fileprivate func process(_ response: Response, hasNoContent: Bool) -> Response {
        transformers.reduce(response) { response, transformer in
            hasNoContent && transformer.convertsContent ? response : transformer.process(response)
        }
    }

    /// Does the same, and notes each transformer that is not skipped.
    fileprivate func process(
        _ response: Response, hasNoContent: Bool, _ index: Int, _ trace: PipelineTrace
    ) -> Response {
        zip(transformers, trace.names.transformers[index]).reduce(response) { response, named in
            let (transformer, name) = named
            guard !(hasNoContent && transformer.convertsContent), transformer.applies(to: response) else {
                return response
            }
            let clock = SiestaClock.active
            let begin = clock.monotonicTime
            let result = transformer.process(response)
            trace.record(
                .transformed(
                    stage: trace.names.stages[index], transformer: name, duration: clock.monotonicTime - begin,
                    hasFailed: response.isSuccess && !result.isSuccess))
            return result
        }
    }
}

/// A transformer that may run on any thread if the content is short.
private protocol LibraryTransformer { var runsLibraryCodeOnly: Bool { get } }

extension ResponseContentTransformer: LibraryTransformer {}

extension ResponseTransformer {
    fileprivate var runsLibraryCodeOnly: Bool {
        switch self {
        case let filter as ContentTypeFilter: filter.transformer.runsLibraryCodeOnly
        case let errors as ErrorsOnly: errors.transformer.runsLibraryCodeOnly
        case let json as JSONTransformer: json.accelerated.runsLibraryCodeOnly
        default: (self as? any LibraryTransformer)?.runsLibraryCodeOnly ?? false
        }
    }
}

/// A transformer that only converts content. It is skipped for responses without content.
private protocol ContentConverting {}

extension ResponseContentTransformer: ContentConverting {}
extension JSONTransformer: ContentConverting {}

extension ResponseTransformer {
    fileprivate var convertsContent: Bool {
        self is any ContentConverting || filter?.transformer is any ContentConverting
    }
}

extension Response {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }

    fileprivate var headerFields: HeaderFields {
        switch self {
        case .success(let entity): entity.headerFields
        case .failure(let error): error.entity?.headerFields ?? HeaderFields([String: String]())
        }
    }
}

extension ResponseTransformer {
    /// False if the transformer is for other content types.
    fileprivate func applies(to response: Response) -> Bool {
        guard let filter else { return true }
        return response.contentType.map(filter.accepts) ?? false
    }

    /// The type of the transformer, without a filter around it.
    var nameInEvents: String {
        PreparedText.line((filter?.transformer ?? self).debugDescription, limit: 200)
    }
}
