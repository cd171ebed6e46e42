/// The limits of one request. A request that exceeds a limit fails.
struct ExchangeLimits: Sendable, Equatable {
    /// The maximum length of the decoded response body, in bytes. A longer body fails with
    /// `URLError.dataLengthExceedsMaximum`.
    var bodyBytes: Int64 = 64 << 20

    /// The maximum number of redirects of one request. A further redirect fails with `URLError.httpTooManyRedirects`.
    var redirects = 20

    /// The maximum number of header fields of one response; fields of the same name count once. A response with more
    /// fields fails with `URLError.dataLengthExceedsMaximum`.
    var headerFields = 1000
}
