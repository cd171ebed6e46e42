// Names that are common in other libraries. Using one is an error whose message names the right declaration. None of them is part
// of the public interface.

extension RequestError {
    /// Not available: use ``httpStatusCode``.
    @available(*, unavailable, renamed: "httpStatusCode")
    public var statusCode: Int? { fatalError() }

    /// Not available: use ``userMessage``.
    @available(*, unavailable, renamed: "userMessage")
    public var message: String { fatalError() }

    /// Not available: use ``cause``.
    @available(*, unavailable, renamed: "cause")
    public var underlyingError: (any Error)? { fatalError() }
}
