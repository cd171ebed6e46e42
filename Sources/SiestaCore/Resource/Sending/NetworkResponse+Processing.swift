import Dispatch
import Foundation
import HTTPRules
package import SiestaNetworking

/// The provider's thread may be the only thread of a transport. Therefore these functions do no work on that thread
/// whose cost the server controls, except for short bodies, and run no code of the app there.
extension NetworkResponse {
    /// A function that receives a processed response, and the results of the stages with caches.
    package typealias ProcessingCompletion = @MainActor (ResponseInfo, [CacheableOutput]) -> Void

    /// Runs the response through the pipeline, off the main thread and with the current clock. Calls back on the main
    /// actor. A response with status 304 is not new, and has no content.
    ///
    /// A response that needs no parsing, and that no transformer accepts, goes to the main actor directly. So does a short
    /// response that only transformers of the library accept: they process it at once, on the provider's thread.
    ///
    /// - Parameters:
    ///   - isContent: true if the response should be the content of a resource or a file. Then a redirect is a failure.
    ///   - asked: the request, if the freshness of the resource follows HTTP; nil otherwise.
    package func process(
        _ processing: ResponseProcessing, isContent: Bool, asked: HTTPFreshness.Asked? = nil,
        watch: MainQueueWatch = .shared, completion: @escaping ProcessingCompletion
    ) {
        let contentType = typeToInterpret
        let isFailure = isFailure(isContent)
        if asked == nil, isCheapToInterpret(contentType, isFailure) {
            let raw = interpret(isFailure, contentType)
            if let response = processHere(raw, processing, isFailure ? nil : contentType) {
                guard SiestaLog.Category.networkDetails.isEnabled else {
                    return handOver(info(response), [], watch, completion)
                }
                return handOver(info(response), [], watch) {
                    logDetails()
                    completion($0, $1)
                }
            }
        }
        let clock = SiestaClock.active
        let cachingInfo = asked.map { cachingInfoMaker($0) }
        clock.inBackground(isShort: isShort) {
            clock.whileCalling {
                processInBackground(processing, isFailure, contentType, cachingInfo, watch, completion)
            }
        }
    }

    /// Returns the result for a response that no other thread needs to process. Returns nil for other responses.
    func processHere(_ raw: Response, _ processing: ResponseProcessing, _ contentType: String?) -> Response? {
        if isNotModified { return raw }
        guard !processing.hasCache else { return nil }
        if processing.ignores(raw, contentType: contentType) { return raw }
        guard isSmall, processing.runsLibraryCodeOnly(for: raw, contentType: contentType) else { return nil }
        return processing.process(raw, hasNoContent: hasNoContent).response
    }

    /// True if parsing the body takes no longer than waking a thread, and little of the stack, because the body is short and
    /// has few brackets. The stack of a provider's thread can be small.
    private var isSmall: Bool {
        guard let body else { return true }
        guard body.count <= 1 << 12 else { return false }
        let bytes = body.span
        var brackets = 0
        for index in bytes.indices where bytes[index] | 0x20 == UInt8(ascii: "{") { brackets += 1 }  // Also `[`.
        return brackets <= 100
    }

    /// True if the body is so short that waking one of several threads takes a good part of the time.
    var isShort: Bool { body?.count ?? 0 <= 1 << 14 }

    private func processInBackground(
        _ processing: ResponseProcessing, _ isFailure: Bool, _ contentType: String?, _ cachingInfo: CachingInfoMaker?,
        _ watch: MainQueueWatch, _ completion: @escaping ProcessingCompletion
    ) {
        logDetails()
        let raw = interpret(isFailure, contentType, cachingInfo)
        guard !isNotModified else { return handOver(info(raw), [], watch, completion) }
        let (response, outputs) = processing.process(raw, hasNoContent: hasNoContent)
        handOver(info(response), isWhole || isFailedRedirect(response) ? outputs : [], watch, completion)
    }

    /// Returns true for a redirect that is an error. Then caches receive only the error.
    private func isFailedRedirect(_ response: Response) -> Bool {
        guard isRedirect, case .failure = response else { return false }
        return true
    }

    /// Passes the response to the main actor. Uses the watch only if its message would be logged.
    func handOver(
        _ info: ResponseInfo, _ outputs: [CacheableOutput], _ watch: MainQueueWatch,
        _ completion: @escaping ProcessingCompletion
    ) {
        // One value each: the runtime would copy a tuple field by field.
        let (info, outputs) = (UncheckedSendable(info), UncheckedSendable(outputs))
        let watch = SiestaLog.Category.network.isEnabled ? watch : nil
        watch?.handOver()
        MainQueue.async {
            watch?.take()
            completion(info.value, outputs.value)
        }
    }

    func logDetails() {
        SiestaLog.log(
            .networkDetails,
            ["Response headers:", LoggedHeaders(head?.fields.dictionary ?? [:]), "body:", body?.count ?? 0, "bytes"])
    }

    func info(_ response: Response) -> ResponseInfo {
        var info = ResponseInfo(response: response, isNew: !isNotModified)
        guard let head else { return info }
        if isNotModified {
            info.hasNewHeaders = NotModified.mayUpdate(head.fields)
        } else {
            info.status = Int16(clamping: head.status)
        }
        return info
    }

    /// Returns true if a `Response` can be made without parsing. The server does not control the cost of such a
    /// response.
    private func isCheapToInterpret(_ contentType: String?, _ isFailure: Bool) -> Bool {
        guard let contentType else { return true }
        return contentType.utf8.count <= 256 && !(isFailure && ProblemDetails.isContentType(contentType))
    }

    /// Makes the caching info of a response, off the provider's thread.
    typealias CachingInfoMaker = @Sendable () -> CachingInfo?

    /// Returns a function that makes the caching info of this response, which was received now.
    func cachingInfoMaker(_ asked: HTTPFreshness.Asked) -> CachingInfoMaker {
        let clock = SiestaClock.active
        let (responseTime, duration) = (clock.wallTime, clock.monotonicTime - asked.time)
        return { [head] in head.map { asked.http.cachingInfo($0, asked, at: responseTime, duration: duration) } }
    }

    /// Returns the response without the fields of the connection, which a cache must not keep (RFC 9111 §3.1), if freshness
    /// follows HTTP.
    func interpret(_ isFailure: Bool, _ contentType: String?, _ cachingInfoMaker: CachingInfoMaker? = nil) -> Response {
        if let error, isCancellation(error) { return .failure(.cancelled(networkError: error)) }
        // A response that the request did not ask for has no lifetime.
        let cachingInfo = error == nil ? cachingInfoMaker?() : nil
        var fields = head?.fieldsAfterRedirects
        if cachingInfo != nil { fields = fields.map { HeaderFields(StoredFields.storable($0.dictionary)) } }
        guard isFailure else {
            return .success(
                Entity<Any>(
                    headerFields: fields ?? HeaderFields([:]), contentType: contentType, status: head?.status,
                    cachingInfo: cachingInfo, content: body ?? Data()))
        }
        return .failure(
            RequestError(
                statusCode: head?.status, headerFields: fields, cachingInfo: cachingInfo,
                content: body ?? (head == nil ? nil : Data()), cause: error ?? redirectError))
    }

    /// The `Content-Type`; nil for a 304, which has no content. Each look-up takes time.
    var typeToInterpret: String? { isNotModified ? nil : head?.fields.contentType }

    private var redirectError: RequestError.Failure? {
        guard isRedirect, let head else { return nil }
        return RequestError.Failure.redirectNotFollowed(head.status)
    }

    /// Returns true for an error, a status of 400 and above, and a redirect in place of content.
    func isFailure(_ isContent: Bool) -> Bool {
        error != nil || (head?.status ?? 200) >= 400 || isContent && isRedirect
    }

    private func isCancellation(_ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == NSURLErrorDomain && error.code == URLError.cancelled.rawValue
    }

    var isNotModified: Bool { error == nil && head?.status == 304 }

    /// True if the response is a redirect that was not followed (RFC 9110 §15.4).
    private var isRedirect: Bool {
        head.map { (300...399).contains($0.status) } ?? false && !isNotModified
    }

    /// True if the body is the complete content, and not a range or a difference (RFC 9110 §15.3.7, RFC 3229).
    var isWhole: Bool {
        !isRedirect
            && head.map { ![206, 226].contains($0.status) && $0.fields["content-range"] == nil } ?? true
    }

    /// True for a success without a body. There is nothing to convert.
    var hasNoContent: Bool {
        (200...299).contains(head?.status ?? 200) && body?.isEmpty ?? true
    }
}
