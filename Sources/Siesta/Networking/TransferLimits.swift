/// How much one request may cost before it is given up.
struct TransferLimits: Sendable, Equatable {
    /// The longest response body, in bytes after decoding; a longer one fails with `URLError.dataLengthExceedsMaximum`.
    var bodyBytes: Int64 = 64 << 20

    /// The most redirects followed for one request; one more fails with `URLError.httpTooManyRedirects`.
    var redirects = 20

    /// The most header fields of one response, those of the same name counted once; more fail with
    /// `URLError.dataLengthExceedsMaximum`.
    var headerFields = 1000
}
