extension Resource {
    /// A request that has failed already, for calls that must return one; its hooks get `error`.
    public static func failedRequest(returning error: RequestError) -> any Request {
        hardWiredRequest(returning: .failure(error))
    }

    /// A request that has completed already with the given response.
    public static func hardWiredRequest(returning response: Response) -> any Request {
        LiveRequest(completedWith: response)
    }

    /// A request, not started, whose work is done by `delegate`.
    public static func prepareRequest(using delegate: any RequestDelegate) -> any Request {
        LiveRequest(delegate: delegate, heartbeat: .shared(for: .current))
    }
}
