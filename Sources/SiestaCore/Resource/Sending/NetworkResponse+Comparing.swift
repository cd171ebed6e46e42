import Dispatch
import Foundation

extension NetworkResponse {
    /// Processes the response to a load in the background, as ``process(_:isContent:watch:completion:)`` does, and
    /// compares it with the data before the load. If its content is the same, the result is not new, and consists of the
    /// old content and the new headers.
    package func process(
        _ processing: ResponseProcessing, comparedWith baseline: ContentBaseline, asked: HTTPFreshness.Asked? = nil,
        watch: MainQueueWatch = .shared, completion: @escaping ProcessingCompletion
    ) {
        let clock = SiestaClock.active
        let cachingInfo = asked.map { cachingInfoMaker($0) }
        clock.inBackground(isShort: isShort) {
            clock.whileCalling {
                logDetails()
                let (info, outputs) = compare(processing, baseline, cachingInfo)
                handOver(info, outputs, watch, completion)
            }
        }
    }

    private func compare(
        _ processing: ResponseProcessing, _ baseline: ContentBaseline, _ cachingInfo: CachingInfoMaker?
    ) -> (ResponseInfo, [CacheableOutput]) {
        let contentType = typeToInterpret
        let raw = interpret(isFailure(true), contentType, cachingInfo)
        guard !isNotModified else { return (info(raw), []) }
        // Other successes, such as a range, are not the complete content.
        guard case .success(let received) = raw, head?.status ?? 200 == 200 else {
            let (response, outputs) = processing.process(raw, hasNoContent: hasNoContent)
            return (info(response), isWhole ? outputs : [])
        }
        let fingerprint = baseline.fingerprint(of: body ?? .init(), contentType: contentType)
        if baseline.isSameVersion(received, fingerprint) {
            return (unchanged(baseline.renewed(by: received), baseline, fingerprint), [])
        }
        let (response, outputs) = processing.process(raw, hasNoContent: hasNoContent)
        let kept = isWhole ? outputs : []
        if case .success(let entity) = response, baseline.isEqual(entity.content) {
            return (unchanged(baseline.renewed(by: entity), baseline, fingerprint), kept)
        }
        var info = info(response)
        info.comparison = baseline.comparison(body, fingerprint, isUnchanged: false)
        return (info, kept)
    }

    private func unchanged(
        _ entity: Entity<Any>, _ baseline: ContentBaseline, _ fingerprint: BodyFingerprint?
    ) -> ResponseInfo {
        var info = info(.success(entity))
        info.isNew = false
        info.comparison = baseline.comparison(body, fingerprint, isUnchanged: true)
        return info
    }
}
