public import Foundation

/// The options for the requests of one resource with one method.
///
/// Change the options in ``Service/configure(_:requestMethods:description:configurer:)``, and read them from
/// ``Resource/configuration(for:)``.
public struct Configuration {
    /// The time for which data is fresh, in seconds. The default is 30. See also ``freshness``.
    public var expirationTime: TimeInterval = 30

    /// The time after a failure during which `loadIfNeeded()` does not try again, in seconds. The default is 1. It does
    /// not apply after a call of ``Resource/invalidate()``.
    public var retryTime: TimeInterval = 1

    /// Headers that are sent with every request, unless the request sets them itself.
    ///
    /// If a name is not a token, or a value contains a line break or another control character (RFC 9110 §5), nothing
    /// is sent. The request then fails with ``RequestError/Cause/InvalidHeader``. Use this property for header values
    /// of unknown origin. Mutations use Foundation's `URLRequest.setValue(_:forHTTPHeaderField:)`, which silently
    /// ignores a value with a line break.
    public var headers: [String: String] = [:]

    /// The pipeline that processes response bodies.
    public var pipeline = Pipeline()

    /// The time between two progress reports of a running request, in seconds. The default is 0.05.
    public var progressReportingInterval: TimeInterval = 0.05

    /// The decoder that ``Service/decode(_:as:requestMethods:decoder:)`` uses by default.
    ///
    /// No other configuration uses this decoder. Change or replace the decoder in a rule before the rules that decode.
    public var jsonDecoder = JSONDecoder()

    /// The encoder that ``Resource/request(_:body:encoder:requestMutation:)`` uses by default.
    ///
    /// No other configuration uses this encoder. It can be changed or replaced.
    public var jsonEncoder = JSONEncoder()

    /// The rules by which failed requests are sent again. The default is ``RetryPolicy/none``.
    public var retry: RetryPolicy {
        get { sending.retry }
        set { sending.retry = newValue }
    }

    /// The requests that receive an `Idempotency-Key` header. The default is ``IdempotencyKeys/none``.
    public var idempotencyKeys: IdempotencyKeys {
        get { sending.idempotencyKeys }
        set { sending.idempotencyKeys = newValue }
    }

    /// The limits within which requests are sent to an origin. The default is ``Pacing/none``.
    public var pacing: Pacing {
        get { sending.pacing }
        set { sending.pacing = newValue }
    }

    /// The priority of requests that wait because of ``pacing``. The default is ``RequestPriority/normal``.
    public var priority: RequestPriority {
        get { sending.priority }
        set { sending.priority = newValue }
    }

    /// The behaviour of requests that fail because there is no network. The default is ``OfflinePolicy/attempt``.
    public var offline: OfflinePolicy {
        get { sending.offline }
        set { sending.offline = newValue }
    }

    /// The occasions on which an observed resource is loaded without being asked. The default is none.
    ///
    /// Only the configuration for GET counts.
    public var reload: ReloadTriggers {
        get { sending.reload }
        set { sending.reload = newValue }
    }

    /// The time in seconds after which the loads of a resource are cancelled when its last observer is gone, unless a
    /// new observer is added. The default is nil: loads are not cancelled.
    ///
    /// A load for which a task waits is not cancelled, nor is the load of a resource that had no observer since the load
    /// began. A number that is negative or not a number counts as 0. Only the configuration for GET counts.
    public var cancelsLoadsAfterLastObserver: TimeInterval? {
        get { sending.cancelDelay }
        set { sending.cancelDelay = newValue }
    }

    /// False if the resource is the same for all users of a ``Session``. The default is true.
    ///
    /// When another user signs in or the user signs out, such a resource keeps its data, its requests and its polls. Its
    /// cache entries belong to no principal. Its requests carry the credential all the same, until it has expired. Only the configuration for
    /// GET counts.
    public var isPersonal: Bool {
        get { sending.isPersonal }
        set { sending.isPersonal = newValue }
    }

    /// The rule by which a load finds out that a response contains nothing new. The default is ``ChangeDetection/always``.
    ///
    /// Only the configuration for GET counts.
    public var changeDetection: ChangeDetection {
        get { sending.changeDetection }
        set { sending.changeDetection = newValue }
    }

    /// The time in seconds after which an unused resource is dropped from memory. The default is nil: time alone drops no
    /// resource.
    ///
    /// A resource is unused if it has no observers, no running requests, and the app does not reference it. It is dropped
    /// at the earliest after this time, and at the latest after one and a half times this time and one second. Persistent
    /// caches keep its data. See also ``Service/cachedResourceCountLimit`` and ``Service/cachedResourceByteLimit``. A
    /// number that is negative or not a number counts as 0. Only the configuration for GET counts.
    public var retention: TimeInterval? {
        get { sending.retention }
        set { sending.retention = newValue }
    }

    /// The rule that decides how long data is fresh. The default is ``FreshnessRule/fixed``: the ``expirationTime``.
    ///
    /// Only the configuration for GET counts.
    public var freshness: FreshnessRule {
        get { sending.freshness }
        set { sending.freshness = newValue }
    }

    /// The condition under which a server carries out the changes that ``TypedResource/mutate(_:body:also:options:resolve:edit:)``
    /// makes. The default is ``Precondition/none``.
    ///
    /// The configuration for the method of the change counts. Requests that are not changes are not affected.
    public var precondition: Precondition {
        get { sending.precondition }
        set { sending.precondition = newValue }
    }

    /// True if requests carry the header `traceparent` (W3C Trace Context), by which a server relates its work to the
    /// request. The default is false.
    ///
    /// All attempts of a request belong to one trace. A request that has the header already keeps it. The events of
    /// ``Service/activity`` contain the identities.
    public var sendsTraceContext: Bool {
        get { sending.sendsTraceContext }
        set { sending.sendsTraceContext = newValue }
    }

    /// True if requests carry the header `Accept` (RFC 9110 §12.5.1) with the content types that the pipeline reads. The
    /// default is false.
    ///
    /// The types that ``Service/decode(_:as:requestMethods:decoder:)`` or a transformer reads have the quality 1. Ranges
    /// such as `text/*` have 0.5, and `*/*` has 0.1, because the app still receives any other content as `Data`. With the
    /// standard transformers, the value is `application/json, text/*;q=0.5, image/*;q=0.5, */*;q=0.1`. Transformers that
    /// accept any type are not listed, nor are patterns such as `*/*+json`, which no range can express.
    ///
    /// An `Accept` in ``headers`` replaces this value, as does one that a mutation sets. Responses that are read in pieces
    /// and downloads do not go through the pipeline, and have no such header.
    public var negotiatesContent: Bool {
        get { sending.negotiatesContent }
        set { sending.negotiatesContent = newValue }
    }

    /// True if Foundation reads and writes all JSON of the resource. The default is false.
    ///
    /// By default, on Linux, the library reads and writes JSON by itself, several times faster than Foundation and with the
    /// same results. This applies to the standard JSON transformer, to ``Service/decode(_:as:requestMethods:decoder:)``,
    /// to `decoded(as:)`, and to request bodies. Foundation still does all that is unusual: it reads texts that are not
    /// JSON, it makes all errors, and it is used for subclasses of `JSONDecoder` and `JSONEncoder`, for JSON5, and for
    /// custom strategies for keys. In rare cases a text is decoded twice, and `init(from:)` of a type runs again; see
    /// <doc:Formats>.
    /// On Apple platforms, the option has no effect: Foundation reads and writes all JSON.
    ///
    /// The environment variable `SIESTA_FOUNDATION_JSON`, with any value, turns the option on for the whole process. With
    /// it you find out, without a new build, whether a problem has to do with the library's own JSON.
    public var usesFoundationJSON: Bool {
        get { changedSending?.usesFoundationJSON ?? false }  // Each request body asks for it.
        set { sending.usesFoundationJSON = newValue }
    }

    /// The options for sending, reloads and dependent data, in one box, because a configuration is copied often and most
    /// services change none of them.
    private var boxedSending = Indirect<SendingOptions>.none

    var sending: SendingOptions {
        get { boxedSending.value ?? SendingOptions() }
        set { boxedSending = .some(newValue) }
    }

    /// The decoder, and whether Foundation does its work.
    var decoding: ConfiguredDecoder { ConfiguredDecoder(jsonDecoder, usesFoundation: usesFoundationJSON) }

    /// The encoder, and whether Foundation does its work.
    var encoding: ConfiguredEncoder { ConfiguredEncoder(jsonEncoder, usesFoundation: usesFoundationJSON) }

    /// The options for retries, pacing and reloads; nil if all of them have their defaults.
    var changedSending: SendingOptions? { boxedSending.value }

    private(set) var requestMutations: [Resource.RequestMutation] = []
    private(set) var requestDecorators: [(Resource, any Request) -> any Request] = []

    /// Creates a configuration with the default options.
    public init() {}

    /// Adds a mutation of the underlying requests. Mutations run in the order in which they were added, after the
    /// configured headers and the caller's own changes.
    ///
    /// A mutation runs once for each request. It also runs before Siesta reads an entity from a `PersistentCache`,
    /// because the cache compares the headers by which a stored response varies. If ``freshness`` follows HTTP, it also runs
    /// when the freshness of data is asked for.
    public mutating func mutateRequests(with mutation: @escaping Resource.RequestMutation) {
        requestMutations.append(mutation)
    }

    /// Adds a decorator, which may wrap or replace every new request before it starts. Decorators run in the order in
    /// which they were added.
    ///
    /// Siesta starts the request that the decorator returns, and returns it to the caller. A decorator can return the
    /// same request with hooks attached, a ``Request/chained(whenCompleted:)`` request, or a different request.
    public mutating func decorateRequests(with decorator: @escaping (Resource, any Request) -> any Request) {
        requestDecorators.append(decorator)
    }
}

/// Not `Sendable`: it holds closures for the main thread.
@available(*, unavailable)
extension Configuration: Sendable {}
