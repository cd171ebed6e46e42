public import Foundation
public import SiestaNetworking

// Names that are common in other libraries. They are public only so that the compiler can report them: the error message gives the
// replacement, or the reason why there is none. They throw, so that none of them satisfies a requirement of an app's protocol.
// `Service` has no such names, because its subclasses may declare them.

extension Resource {
    /// Not available: use ``date``.
    @available(*, unavailable, renamed: "date")
    public var lastUpdated: Date? { get throws { fatalError() } }

    /// Not available: use ``isLoading``.
    @available(*, unavailable, renamed: "isLoading")
    public var isRefreshing: Bool { get throws { fatalError() } }

    /// Not available: use ``isLoading``.
    @available(*, unavailable, renamed: "isLoading")
    public var isFetching: Bool { get throws { fatalError() } }

    /// Not available: use the negation of ``isStale``.
    @available(*, unavailable, message: "Use !isStale.")
    public var isFresh: Bool { get throws { fatalError() } }

    /// Not available: use ``latestError``, or the error of a typed resource.
    @available(*, unavailable, renamed: "latestError")
    public var error: RequestError? { get throws { fatalError() } }

    /// Not available: use ``states``.
    @available(*, unavailable, renamed: "states")
    public var values: Never { get throws { fatalError() } }

    /// Not available: use ``states``.
    @available(*, unavailable, renamed: "states")
    public var updates: Never { get throws { fatalError() } }

    /// Not available: use ``Resource/states`` or ``Resource/addObserver(owner:closure:)``.
    @available(*, unavailable, message: "Use a loop over states, or addObserver(owner:closure:).")
    public var publisher: Never { get throws { fatalError() } }

    /// Not available: use ``Resource/states`` or ``Resource/addObserver(owner:closure:)``.
    @available(*, unavailable, message: "Use a loop over states, or addObserver(owner:closure:).")
    public var objectWillChange: Never { get throws { fatalError() } }

    /// Not available: use ``latestData``, or the content of a typed resource.
    @available(*, unavailable, message: "Use content of a typed resource, or latestData.")
    public var data: Entity<Any>? { get throws { fatalError() } }

    /// Not available: use ``typed(as:)`` or ``latestData``.
    @available(*, unavailable, message: "Use typed(as:), whose content has a type, or latestData.")
    public var content: Any? { get throws { fatalError() } }

    /// Not available: use ``latestData``, or the content of a typed resource.
    @available(*, unavailable, message: "Use content of a typed resource, or latestData.")
    public var contents: Any? { get throws { fatalError() } }

    /// Not available: compare ``latestData`` with nil.
    @available(*, unavailable, message: "Use content != nil of a typed resource, or latestData != nil.")
    public var isLoaded: Bool { get throws { fatalError() } }

    /// Not available: compare ``latestData`` with nil.
    @available(*, unavailable, message: "Use content != nil of a typed resource, or latestData != nil.")
    public var isSuccess: Bool { get throws { fatalError() } }

    /// Not available: compare ``latestError`` with nil.
    @available(*, unavailable, message: "Use error != nil of a typed resource, or latestError != nil.")
    public var isError: Bool { get throws { fatalError() } }
}

extension ResourceConvertible {
    /// Not available: use ``Resource/load()``, or ``Resource/get(_:)`` to wait for the data.
    @available(*, unavailable, message: "Use load(), or get(.always) to wait for the data.")
    public func refresh() throws -> any Request { fatalError() }

    /// Not available: use ``Resource/load()``, or ``Resource/get(_:)`` to wait for the data.
    @available(*, unavailable, message: "Use load(), or get(.always) to wait for the data.")
    public func reload() throws -> any Request { fatalError() }

    /// Not available: use ``Resource/get(_:)``, or ``Resource/loadIfNeeded()`` without waiting.
    @available(*, unavailable, message: "Use get(), or loadIfNeeded() without waiting.")
    public func fetch() throws -> any Request { fatalError() }

    /// Not available: use ``Resource/states`` or ``Resource/addObserver(owner:closure:)``.
    @available(*, unavailable, message: "Use a loop over states, or addObserver(owner:closure:).")
    public func onChange(_ action: @escaping () -> Void) throws { fatalError() }

    /// Not available: use ``Resource/states`` or ``Resource/addObserver(owner:closure:)``.
    @available(*, unavailable, message: "Use a loop over states, or addObserver(owner:closure:).")
    public func observe(_ action: @escaping () -> Void) throws { fatalError() }

    /// Not available: use ``Resource/states`` or ``Resource/addObserver(owner:closure:)``.
    @available(*, unavailable, message: "Use a loop over states, or addObserver(owner:closure:).")
    public func sink(_ action: @escaping (Resource) -> Void) throws { fatalError() }

    /// Not available: use ``Resource/wipe()``.
    @available(*, unavailable, renamed: "wipe()")
    public func clear() throws { fatalError() }

    /// Not available: use ``Resource/loadIfNeeded()``.
    @available(*, unavailable, renamed: "loadIfNeeded()")
    public func prefetch() throws { fatalError() }

    /// Not available: cancel the request that ``Resource/load()`` returns.
    @available(*, unavailable, message: "Cancel the request that load() returns.")
    public func cancelLoad() throws { fatalError() }

    /// Not available: use ``Resource/get(_:)``, or ``Resource/load()`` without waiting.
    @available(*, unavailable, message: "Use get(_:), or load() without waiting.")
    public func load(_ policy: FetchPolicy) throws -> any Request { fatalError() }
}

extension TypedResource {
    // Members of the untyped resource that would be misleading here.

    /// Not available: use ``content``.
    @available(*, unavailable, renamed: "content") public var jsonDict: [String: Any] { get throws { fatalError() } }
    /// Not available: use ``content``.
    @available(*, unavailable, renamed: "content") public var jsonArray: [Any] { get throws { fatalError() } }
    /// Not available: use ``content``.
    @available(*, unavailable, renamed: "content") public var text: String { get throws { fatalError() } }
    /// Not available: use ``error``.
    @available(*, unavailable, renamed: "error") public var latestError: RequestError? { get throws { fatalError() } }

    /// Not available: compare ``content`` with nil.
    @available(*, unavailable, message: "Use content != nil.")
    public var hasContent: Bool { get throws { fatalError() } }

    /// Not available: assign ``content``.
    @available(*, unavailable, message: "Assign content, or send a change to the server with mutate(_:body:edit:).")
    public func setContent(_ content: Content) throws { fatalError() }

    /// Not available: assign ``content``.
    @available(*, unavailable, message: "Assign content, or send a change to the server with mutate(_:body:edit:).")
    public func update(_ edit: (inout Content) -> Void) throws { fatalError() }

    /// Not available: assign ``content``.
    @available(*, unavailable, message: "Assign content.")
    public func overrideLocalContent(with content: Any) throws { fatalError() }

    /// Not available: cancel the request that ``Resource/load()`` returns. To end an observation, use
    /// ``Resource/removeObservers(ownedBy:)``.
    @available(
        *, unavailable,
        message: "Cancel the request that load() returns, or use removeObservers(ownedBy:) for observers."
    )
    public func cancel() throws { fatalError() }

    /// Not available: use ``Resource/cancelLoadIfUnobserved()``.
    @available(*, unavailable, message: "Use resource.cancelLoadIfUnobserved().")
    public func cancelLoadIfUnobserved() throws { fatalError() }

    /// Not available: use ``Resource/load()``, or ``Resource/get(_:)`` to wait for the data.
    @available(*, unavailable, message: "Use load(), or get(.always) to wait for the data.")
    public func refetch() throws -> any Request { fatalError() }

    /// Not available: assign ``content``.
    @available(*, unavailable, message: "Assign content, or send a change to the server with mutate(_:body:edit:).")
    public func setData(_ content: Content) throws { fatalError() }

    /// Not available: assign ``content``.
    @available(*, unavailable, message: "Assign content.")
    public func overrideContent(_ content: Content) throws { fatalError() }
}

extension Configuration {
    /// Not available: use ``timeLimit``.
    @available(*, unavailable, renamed: "timeLimit")
    public var timeout: TimeInterval? {
        get { fatalError() }
        set { fatalError() }
    }

    /// Not available: use ``timeLimit``.
    @available(*, unavailable, renamed: "timeLimit")
    public var timeoutInterval: TimeInterval? {
        get { fatalError() }
        set { fatalError() }
    }

    /// Not available: use ``timeLimit``.
    @available(*, unavailable, renamed: "timeLimit")
    public var requestTimeout: TimeInterval? {
        get { fatalError() }
        set { fatalError() }
    }

    /// Not available: use ``sendsIdempotencyKeys``.
    @available(*, unavailable, renamed: "sendsIdempotencyKeys")
    public var idempotencyKeys: Bool {
        get { fatalError() }
        set { fatalError() }
    }

    /// Not available: use ``sendsIdempotencyKeys``.
    @available(*, unavailable, renamed: "sendsIdempotencyKeys")
    public var idempotencyKey: Bool {
        get { fatalError() }
        set { fatalError() }
    }

    /// Not available: use ``expirationTime``.
    @available(*, unavailable, renamed: "expirationTime")
    public var staleTime: TimeInterval {
        get { fatalError() }
        set { fatalError() }
    }

    /// Not available: use ``Resource/poll(every:owner:)``.
    @available(*, unavailable, message: "Use poll(every:owner:) of a resource.")
    public var refetchInterval: TimeInterval? {
        get { fatalError() }
        set { fatalError() }
    }

    /// Not available: use ``mutateRequests(with:)`` or ``decorateRequests(with:)``.
    @available(*, unavailable, message: "Use mutateRequests(with:) or decorateRequests(with:).")
    public var interceptor: Any? {
        get { fatalError() }
        set { fatalError() }
    }

    /// Not available: use ``isPersonal``.
    @available(*, unavailable, message: "Use authenticate(with:) of the service, and isPersonal.")
    public var requiresAuthentication: Bool {
        get { fatalError() }
        set { fatalError() }
    }

    /// Not available: use ``isPersonal``.
    @available(*, unavailable, message: "Use authenticate(with:) of the service, and isPersonal.")
    public var isAuthenticated: Bool {
        get { fatalError() }
        set { fatalError() }
    }
}

extension FetchPolicy {
    /// Not available: use ``always``.
    @available(*, unavailable, renamed: "always")
    public static var network: FetchPolicy { fatalError() }
}

extension RequestBody {
    /// Not available: use ``encoded(_:encoder:)``.
    @available(*, unavailable, message: "Use encoded(_:encoder:), which encodes a value as JSON.")
    public static func json(_ value: some Encodable) -> RequestBody { fatalError() }
}

extension RequestError.Code {
    /// Not available: use ``timeLimitExceeded`` or ``network``.
    @available(*, unavailable, message: "Use timeLimitExceeded (Configuration.timeLimit) or network.")
    public static var timedOut: RequestError.Code { fatalError() }

    /// Not available: use ``timeLimitExceeded`` or ``network``.
    @available(*, unavailable, message: "Use timeLimitExceeded (Configuration.timeLimit) or network.")
    public static var timeout: RequestError.Code { fatalError() }
}

extension Request {
    /// Not available: use ``onProgress(_:)``.
    @available(*, unavailable, renamed: "onProgress(_:)")
    public func onUploadProgress(_ callback: @escaping (Double) -> Void) throws -> any Request { fatalError() }

    /// Not available: use ``repeated()``.
    @available(*, unavailable, message: "Use repeated(), or Configuration.retry.")
    public func retry() throws -> any Request { fatalError() }

    /// Not available: use ``repeated()``.
    @available(*, unavailable, message: "Use repeated(), which sends the request again.")
    public func resume() throws -> any Request { fatalError() }

    /// Not available: use ``isCompleted``.
    @available(*, unavailable, message: "Use isCompleted, or the error of value: its code is .cancelled.")
    public var isCancelled: Bool { get throws { fatalError() } }

    /// Not available: use ``progress``.
    @available(*, unavailable, renamed: "progress")
    public var fractionCompleted: Double { get throws { fatalError() } }

    /// Not available: use ``onProgress(_:)``.
    @available(*, unavailable, renamed: "onProgress(_:)")
    public var progressValues: Never { get throws { fatalError() } }

    /// Not available: use ``value`` or ``onCompletion(_:)``.
    @available(*, unavailable, message: "Use value, or onCompletion(_:).")
    public var result: Never { get throws { fatalError() } }

    /// Not available: use ``onProgress(_:)``.
    @available(*, unavailable, renamed: "onProgress(_:)")
    public func uploadProgress(_ callback: @escaping (Double) -> Void) throws -> any Request { fatalError() }

    /// Not available: a status of 400 or more is always an error.
    @available(*, unavailable, message: "A status of 400 or more is always an error.")
    public func validate() throws -> any Request { fatalError() }
}

extension FinishedResponse {
    /// Not available: use ``status``.
    @available(*, unavailable, renamed: "status")
    public var statusCode: Int? { get throws { fatalError() } }

    /// Not available: use ``decoded(as:decoder:)`` or ``jsonDict``.
    @available(*, unavailable, message: "Use jsonDict, jsonArray or decoded(as:).")
    public var json: Any { get throws { fatalError() } }
}

extension ResponseInfo {
    /// Not available: use ``response``.
    @available(*, unavailable, message: "Use if case .failure(let error) = response.")
    public var error: RequestError? { get throws { fatalError() } }

    /// Not available: use ``response``.
    @available(*, unavailable, renamed: "response")
    public var result: Response { get throws { fatalError() } }
}
