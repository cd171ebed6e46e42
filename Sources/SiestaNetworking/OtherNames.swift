public import Foundation

// Names that are common in other libraries. They are public only so that the compiler can report them: the error message gives the
// replacement, or the reason why there is none. They throw, so that none of them satisfies a requirement of an app's protocol.

extension RequestError {
    /// Not available: use ``httpStatusCode``.
    @available(*, unavailable, renamed: "httpStatusCode")
    public var statusCode: Int? { get throws { fatalError() } }

    /// Not available: use ``userMessage``.
    @available(*, unavailable, renamed: "userMessage")
    public var message: String { get throws { fatalError() } }

    /// Not available: use ``cause``.
    @available(*, unavailable, renamed: "cause")
    public var underlyingError: (any Error)? { get throws { fatalError() } }

    /// Not available: use ``entity``, whose content is the body of the response.
    @available(*, unavailable, message: "Use entity, text or jsonDict: the body of the response.")
    public var data: Data? { get throws { fatalError() } }

    /// Not available: use ``entity``, whose content is the body of the response.
    @available(*, unavailable, message: "Use entity, text or jsonDict: the body of the response.")
    public var body: Data? { get throws { fatalError() } }

    /// Not available: use ``entity``, whose content is the body of the response.
    @available(*, unavailable, message: "Use entity, text or jsonDict: the body of the response.")
    public var content: Any? { get throws { fatalError() } }

    /// Not available: use ``entity``, whose content is the body of the response.
    @available(*, unavailable, message: "Use entity, text or jsonDict: the body of the response.")
    public var json: Any? { get throws { fatalError() } }

    /// Not available: use ``httpStatusCode`` and ``entity``.
    @available(*, unavailable, message: "Use httpStatusCode and entity.")
    public var response: Never { get throws { fatalError() } }

    /// Not available: use ``isCancellation``.
    @available(*, unavailable, renamed: "isCancellation")
    public var isCancelled: Bool { get throws { fatalError() } }

    /// Not available: use ``entity``, whose content is the body of the response.
    @available(
        *, unavailable,
        message:
            "Use entity, text or jsonDict. To decode error bodies, add a transformer with service.configureTransformer."
    )
    public func decoded<Content: Decodable>(as type: Content.Type) throws -> Content { fatalError() }
}

extension RequestError.Code {
    /// Not available: use ``network``.
    @available(*, unavailable, renamed: "network")
    public static var offline: RequestError.Code { fatalError() }

    /// Not available: use ``invalidContent``.
    @available(*, unavailable, renamed: "invalidContent")
    public static var decoding: RequestError.Code { fatalError() }

    /// Not available: use ``httpStatus``.
    @available(*, unavailable, message: "Use httpStatus, and compare httpStatusCode with 401.")
    public static var unauthorized: RequestError.Code { fatalError() }
}
