import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The events of a request, for listeners.
extension NetworkRequest {
    /// The number of the event of the start; nil if there were no listeners.
    var event: Int? { startEvent == 0 ? nil : startEvent }

    /// Runs `body`. For listeners, the start of the request is the cause of what follows.
    @inline(__always)
    func causing(_ body: () -> Void) {
        guard let activity = resource.context.activity else { return body() }
        activity.causing(event, body)
    }

    func noteStart(_ request: PreparedRequest, _ activity: ActivityHub) {
        let start = ActivityEvent.RequestStart(method: request.method, isLoad: recipe.isConditional || isLoad)
        startEvent = activity.record(.requestStarted(start), of: resource.address)
    }

    /// Notes that the request is passed to the network. Returns the processing of its response, which notes what it does.
    @inline(__always)
    func noteSending(_ request: PreparedRequest) -> ResponseProcessing {
        guard resource.context.activity != nil else { return request.resolved.processing }
        return noteSendingForListeners(request)
    }

    @inline(never)
    func noteSendingForListeners(_ request: PreparedRequest) -> ResponseProcessing {
        guard let activity = resource.context.activity else { return request.resolved.processing }
        let reason = exchange(&sendReason, with: .first)
        let number = activity.record(
            .requestSent(.init(attempt: Int(sendCount), reason: reason, trace: trace.value)), of: resource.address,
            because: event)
        return request.resolved.processing.traced(
            by: PipelineTrace(hub: activity, address: resource.address, cause: number, names: request.resolved.names))
    }

    /// Adds the header `traceparent`, unless the request has one.
    func addTraceContext(to request: inout URLRequest) {
        guard request.value(forHTTPHeaderField: "traceparent") == nil else { return }
        let new = TraceContext(continuing: trace.value)
        trace = .some(new)
        request.setValue(new.traceparent, forHTTPHeaderField: "traceparent")
    }

    func noteEnd(_ info: ResponseInfo) {
        let end = ActivityEvent.RequestEnd(info)
        resource.context.activity?.record(.requestEnded(end), of: resource.address, because: event)
    }
}

extension ActivityEvent.RequestEnd {
    fileprivate init(_ info: ResponseInfo) {
        let status = info.status == 0 ? nil : Int(info.status)
        switch info.response {
        case .success:
            self.init(
                outcome: info.isNew ? .success : .notModified, status: info.isNew ? status : 304, failure: nil,
                metrics: info.metrics)
        case .failure(let error):
            self.init(
                outcome: error.isCancellation ? .cancelled : .failure, status: error.httpStatusCode ?? status,
                failure: PreparedText.error(error), metrics: info.metrics)
        }
    }
}
