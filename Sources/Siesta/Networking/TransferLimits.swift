/// The limits of one request; a request that exceeds them fails.
struct TransferLimits: Sendable, Equatable {
    /// The maximum length of the decoded response body, in bytes. A longer one fails with
    /// `URLError.dataLengthExceedsMaximum`.
    var bodyBytes: Int64 = 64 << 20

    /// The maximum number of redirects of one request. One more fails with `URLError.httpTooManyRedirects`.
    var redirects = 20

    /// The maximum number of header fields of one response; fields of the same name count once. More fail with
    /// `URLError.dataLengthExceedsMaximum`.
    var headerFields = 1000
}
