public import Foundation

/// The options that apply to the requests of one resource with one method.
///
/// Change them in ``Service/configure(_:requestMethods:description:configurer:)``; read them from
/// ``Resource/configuration(for:)``.
public struct Configuration {
    /// How long data counts as up to date, in seconds.
    public var expirationTime: TimeInterval = 30

    /// How long after a failure `loadIfNeeded()` waits before it tries again, in seconds.
    public var retryTime: TimeInterval = 1

    /// Headers sent with every request, unless the request sets them itself.
    ///
    /// A request fails with ``RequestError/Cause/InvalidHeader`` before it is sent if one of them has a name that is not a
    /// token, or a value with a line break or another control character (RFC 9110 §5). This is the way to set headers from
    /// text that is not known to be clean: Foundation's `URLRequest.setValue(_:forHTTPHeaderField:)`, which mutations use,
    /// ignores a value with a line break without an error.
    public var headers: [String: String] = [:]

    /// What becomes of response bodies.
    public var pipeline = Pipeline()

    /// How often progress is reported while a request runs, in seconds.
    public var progressReportingInterval: TimeInterval = 0.05

    /// How ``Service/decode(_:as:requestMethods:decoder:)`` reads JSON, unless that names a decoder of its own.
    ///
    /// One that belongs to this configuration alone: change it, or put another one in its place, before the rules that
    /// decode.
    public var jsonDecoder = JSONDecoder()

    /// How ``Resource/request(_:body:encoder:requestMutation:)`` writes JSON, unless that names an encoder of its own.
    ///
    /// One that belongs to this configuration alone: change it, or put another one in its place.
    public var jsonEncoder = JSONEncoder()

    private(set) var requestMutations: [Resource.RequestMutation] = []
    private(set) var requestDecorators: [(Resource, any Request) -> any Request] = []

    /// Creates the default options.
    public init() {}

    /// Adds a last change to the underlying requests, after headers and the caller's own changes; they apply in the
    /// order added.
    ///
    /// Runs once for each request, and also before a resource is looked for in a ``StoredEntityCache``, which compares
    /// the headers that a stored answer varies by.
    public mutating func mutateRequests(with mutation: @escaping Resource.RequestMutation) {
        requestMutations.append(mutation)
    }

    /// Adds a wrapper around every new request, before it starts; they apply in the order added.
    ///
    /// What the decorator returns is what the caller gets and what starts: the request itself with hooks attached, a
    /// ``Request/chained(whenCompleted:)`` one, or another request altogether.
    public mutating func decorateRequests(with decorator: @escaping (Resource, any Request) -> any Request) {
        requestDecorators.append(decorator)
    }
}

/// It holds closures for the main thread.
@available(*, unavailable)
extension Configuration: Sendable {}
