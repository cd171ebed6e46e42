public import SiestaCore

// Names that are common in other libraries. They are public only so that the compiler can report them: the error message gives the
// replacement, or the reason why there is none. They throw, so that none of them satisfies a requirement of an app's protocol.

extension RequestError {
    /// Not available: use ``Configuration/retry``, or the error's `code`.
    @available(*, unavailable, message: "Use Configuration.retry, which sends requests again, or the error's code.")
    public var canRetry: Bool { get throws { fatalError() } }

    /// Not available: use ``Configuration/retry``, or the error's `code`.
    @available(*, unavailable, message: "Use Configuration.retry, which sends requests again, or the error's code.")
    public var isRetryable: Bool { get throws { fatalError() } }

    /// Not available: use ``Configuration/retry``, or the error's `code`.
    @available(*, unavailable, message: "Use Configuration.retry, which sends requests again, or the error's code.")
    public var isTransient: Bool { get throws { fatalError() } }
}

extension Configuration {
    /// Not available: use ``retry``.
    @available(*, unavailable, message: "Use retry = .standard, and retry.retryLimit.")
    public var maxRetries: Int {
        get { fatalError() }
        set { fatalError() }
    }

    /// Not available: use ``retry``.
    @available(*, unavailable, message: "Use retry = .standard, and retry.retryLimit.")
    public var retryLimit: Int {
        get { fatalError() }
        set { fatalError() }
    }
}

extension RetryPolicy {
    /// Not available: use ``retryLimit``, the number of attempts after the first one.
    @available(*, unavailable, message: "Use retryLimit, the number of attempts after the first one.")
    public var maxAttempts: Int {
        get { fatalError() }
        set { fatalError() }
    }

    /// Not available: change a copy of ``standard``.
    @available(*, unavailable, message: "Use .standard, and change its retryLimit and firstDelay.")
    public init(maxAttempts: Int) { fatalError() }

    /// Not available: change a copy of ``standard``.
    @available(*, unavailable, message: "Use .standard, and change its retryLimit and firstDelay.")
    public static func exponential(maxAttempts: Int) -> RetryPolicy { fatalError() }

    /// Not available: use ``none``.
    @available(*, unavailable, renamed: "none")
    public static var never: RetryPolicy { fatalError() }

    /// Not available: use ``standard``.
    @available(*, unavailable, renamed: "standard")
    public static var exponentialBackoff: RetryPolicy { fatalError() }
}
