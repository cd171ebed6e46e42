extension Resource {
    /// Returns a completed request that has failed with `error`, for methods that must return a request.
    public static func failedRequest(returning error: RequestError) -> any Request {
        hardWiredRequest(returning: .failure(error))
    }

    /// Returns a completed request with the given response.
    public static func hardWiredRequest(returning response: Response) -> any Request {
        LiveRequest(completedWith: response)
    }

    /// Returns an unstarted request. `delegate` does its work.
    public static func prepareRequest(using delegate: any RequestDelegate) -> any Request {
        LiveRequest(delegate: delegate, heartbeat: .shared(for: .current))
    }
}
