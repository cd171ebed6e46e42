/// The events of an exchange, for listeners.
extension Exchange {
    private var activity: ActivityHub? { resource?.context.activity }

    /// The number of the event of the start; nil if there were no listeners.
    var event: Int? { startEvent == 0 ? nil : startEvent }

    /// Runs `body`. For listeners, the start of the request is the cause of what follows.
    @inline(__always)
    package func causing(_ body: () -> Void) {
        guard let activity else { return body() }
        activity.causing(event, body)
    }

    /// Notes the start of the request.
    @inline(__always)
    package func noteStart(_ request: PreparedRequest, isLoad: @autoclosure () -> Bool = false) {
        guard let activity, let resource else { return }
        startEvent = activity.record(
            .requestStarted(method: request.method, isLoad: isLoad()), of: resource.address)
    }

    /// Notes that the request is passed to the network. Returns the number of the event; 0 if there are no listeners.
    func noteSending() -> Int {
        guard let activity, let resource else { return 0 }
        let reason = exchange(&reason, with: .first)
        return activity.record(
            .requestSent(attempt: attemptCount, reason: reason, trace: trace.value),
            of: resource.address, because: event)
    }

    package func noteEnd(_ info: @autoclosure () -> ResponseInfo) {
        guard let activity, let resource else { return }
        activity.record(.requestEnded(ActivityEvent.RequestEnd(info())), of: resource.address, because: event)
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
