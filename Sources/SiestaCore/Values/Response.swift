import Foundation

/// The result of a request: an entity, or an error.
public typealias Response = Result<Entity<Any>, RequestError>

extension Response {
    /// True if the request ended because it was cancelled.
    public var isCancellation: Bool {
        guard case .failure(let error) = self else { return false }
        return error.isCancellation
    }

    /// A short string for logs: the type of the content after a success, or the error after a failure. Never contains
    /// the content.
    public var description: String {
        switch self {
        case .success(let entity): PreparedText.line("Success: \(type(of: entity.content)) (\(entity.contentType))")
        case .failure(let error): "Failure: \(error)"
        }
    }
}

/// A response, a flag that indicates whether its data is new, and the metrics of the request.
public struct ResponseInfo {
    /// The result of the request: an entity, or an error.
    public var response: Response

    /// False if the response only confirmed existing data, as a 304 does. True otherwise, including for a load that
    /// found fresh data in a persistent cache.
    public var isNew: Bool

    /// True for an error from a cache that the resource has already, and because of which a load did not ask the server. Code
    /// of the app never receives such a response. Declared here because it fits into padding.
    private(set) var isKnownError = false

    /// The network metrics of the request. Nil if the network was not used, or if the provider does not measure its
    /// requests.
    public var metrics: RequestMetrics? {
        get { details.value?.metrics }
        set {
            details = Indirect(
                Details(metrics: newValue, body: details.value?.body, comparison: boxedComparison))
        }
    }

    /// The body as it was received; nil for a load, a failure, and a response without a request of its own.
    var body: ReceivedBody? {
        get { details.value?.body }
        set {
            details = Indirect(
                Details(metrics: details.value?.metrics, body: newValue, comparison: boxedComparison))
        }
    }

    /// The result of the comparison with the data before the load; nil if change detection and limits of bytes are off.
    var comparison: ContentComparison? {
        get { boxedComparison.value }
        set {
            details = Indirect(
                Details(metrics: details.value?.metrics, body: details.value?.body, comparison: Indirect(newValue)))
        }
    }

    /// If the response has the same content as the data before the load, the ``Resource/State/contentRevision`` of this
    /// data.
    var unchangedRevision: UInt32? { details.isEmpty ? nil : comparison?.unchangedRevision }

    /// The header fields of a success; none for a failure.
    var headerFields: HeaderFields {
        if case .success(let entity) = response { entity.headerFields } else { HeaderFields([:]) }
    }

    /// The entity that the server has sent; nil if there is no response of a server.
    package var received: Entity<Any>? {
        switch response {
        case .success(let entity): entity
        case .failure(let error): error.entity
        }
    }

    private var boxedComparison: Indirect<ContentComparison> { details.value?.comparison ?? .none }

    private var details = Indirect<Details>.none

    /// The parts that few callers read, in one box, because a response is copied often.
    private struct Details {
        var metrics: RequestMetrics?
        var body: ReceivedBody?
        var comparison = Indirect<ContentComparison>.none
    }

    /// Creates a value with the given response, and without metrics.
    public init(response: Response, isNew: Bool = true) {
        self.response = response
        self.isNew = isNew
    }

    /// True if the server confirmed that the data is current. False if a load found fresh data and did not ask the
    /// server.
    private(set) var isConfirmedByServer = true

    /// True for a 304 whose headers may replace those of the confirmed data, and for the response to a load that
    /// consists of this data with the new headers.
    var hasNewHeaders = false

    /// The status code of the response; 0 if there is no response of a server, or if the response is a 304. A range that
    /// stored data answers has the status 206.
    package var status: Int16 = 0

    /// True if the response is a redirect that was not followed (RFC 9110 §15.4).
    var isRedirect: Bool { (300...399).contains(status) }

    /// Returns the response for a request that received a 304 with new headers, which `entity` contains.
    static func confirmed(_ entity: Entity<Any>) -> ResponseInfo {
        var info = ResponseInfo(response: .success(entity), isNew: false)
        info.hasNewHeaders = true
        return info
    }

    /// Returns the response for a load that found `entity` fresh and did not ask the server. `isNew` is false for the
    /// resource, which has the entity already, and true for the hooks of the load.
    static func alreadyKnown(_ entity: Entity<Any>, isNew: Bool) -> ResponseInfo {
        var info = ResponseInfo(response: .success(entity), isNew: isNew)
        info.isConfirmedByServer = false
        return info
    }

    /// Returns the response, for the resource only, of a load that an error from a cache has held back.
    static func alreadyKnown(_ error: RequestError) -> ResponseInfo {
        var info = ResponseInfo(response: .failure(error), isNew: false)
        info.isKnownError = true
        return info
    }

    /// The wipe count of the oldest of the requests that led to this response, at the time it was made.
    private(set) var requested = WipeCount.unknown

    /// Returns this response as the response to a request that was made at `count` or earlier.
    func requested(at count: WipeCount) -> ResponseInfo {
        var info = self
        info.request(at: count)
        return info
    }

    /// Lowers ``requested`` to `count`, unless it is already lower.
    mutating func request(at count: WipeCount) {
        requested = min(requested, count)
    }

    /// Returns the response for a request that received a 304 which does not confirm `entity`, because the request's
    /// condition was about another version.
    static func unconfirmed(_ entity: Entity<Any>) -> ResponseInfo { alreadyKnown(entity, isNew: false) }

    /// Returns the response for a load. Converts a redirect to an error, because its body is not the resource's
    /// content.
    func toLoad() -> ResponseInfo {
        guard isRedirect, case .success(let entity) = response else { return self }
        var info = self
        let cause = RequestError.Failure.redirectNotFollowed(Int(status))
        info.response = .failure(
            RequestError(
                statusCode: Int(status), headerFields: entity.headerFields, content: entity.content,
                cause: cause))
        return info
    }

    /// Returns the response for a change of the server. Converts a redirect and a 304 to an error, because the server has
    /// not carried out the change.
    ///
    /// A DELETE succeeds if there is nothing to delete, because it has the same effect each time (RFC 9110 §9.2.2): an
    /// earlier attempt, whose response was lost, may have succeeded.
    package func toChange(by method: RequestMethod) -> ResponseInfo {
        if method == .delete, isOfMissingResource { return toDeletion() }
        guard case .success(let entity) = response else { return self }
        let status = isConfirmedByServer ? entity.statusCode ?? 0 : 304
        guard (300...399).contains(status) else { return self }
        var info = self
        info.status = Int16(clamping: status)
        return info.toLoad()
    }

    /// True if the server has no such resource (RFC 9110 §15.5.5, §15.5.11).
    package var isOfMissingResource: Bool {
        [404, 410].contains(status == 0 ? received?.statusCode ?? 0 : Int(status))
    }

    private func toDeletion() -> ResponseInfo {
        var info = self
        info.response = .success(received ?? Entity(content: Data(), headers: [:]))
        return info
    }

    /// Returns the same response as new content, because it was compared with the data of another resource.
    func asNew() -> ResponseInfo {
        var info = self
        info.isNew = true
        info.comparison?.unchangedRevision = nil
        return info
    }

    /// Returns the response for a load by a HEAD request. Its validators belong to content that it does not have.
    func withoutVersion() -> ResponseInfo {
        guard case .success(var entity) = response else { return self }
        var (info, headers) = (self, entity.headers)
        for name in Validator.fields { headers[name] = nil }
        entity.headers = headers
        info.response = .success(entity)
        return info
    }

    package static var cancellation: ResponseInfo { ResponseInfo(response: .failure(.cancelled())) }
}

/// Not `Sendable`: it holds an entity with content of any type.
@available(*, unavailable)
extension ResponseInfo: Sendable {}
