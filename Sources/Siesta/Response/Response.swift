/// What became of a request: an entity, or the error that prevented one.
public typealias Response = Result<Entity<Any>, RequestError>

extension Response {
    /// Whether the request ended because it was cancelled.
    public var isCancellation: Bool {
        guard case .failure(let error) = self else { return false }
        return error.isCancellation
    }

    /// A short text for logs: outcome, type of the content or cause, never the content itself.
    public var description: String {
        switch self {
        case .success(let entity): PreparedText.line("Success: \(type(of: entity.content)) (\(entity.contentType))")
        case .failure(let error): "Failure: \(error)"
        }
    }
}

/// A response and whether it brought anything that was not known before.
public struct ResponseInfo {
    /// The response.
    public var response: Response

    /// False if the response only confirmed what was known (304, or data that arrived otherwise); true in all other
    /// cases.
    public var isNew: Bool

    /// What the network's part of the request took; nil if there was none, or if the provider does not measure.
    public var metrics: RequestMetrics? {
        get { boxedMetrics.value }
        set { boxedMetrics = Boxed(newValue) }
    }

    private var boxedMetrics = Boxed<RequestMetrics>.none

    /// Creates it from its parts.
    public init(response: Response, isNew: Bool = true) {
        self.response = response
        self.isNew = isNew
    }

    /// Whether the server has said that the data is current; false if a load found that it need not ask.
    private(set) var isConfirmedByServer = true

    /// The status code of the redirect that this success is, since nobody followed it; 0 for any other response.
    var redirectStatus: Int16 = 0

    /// The answer of a load that found `entity` in place and up to date.
    static func alreadyKnown(_ entity: Entity<Any>) -> ResponseInfo {
        var info = ResponseInfo(response: .success(entity), isNew: false)
        info.isConfirmedByServer = false
        return info
    }

    /// When the oldest of the requests was made that this has come through.
    private(set) var requested = WipeCount.unknown

    /// The same response, as that to a request that was made at `count`.
    func requested(at count: WipeCount) -> ResponseInfo {
        var info = self
        info.request(at: count)
        return info
    }

    /// Makes this no newer than `count`.
    mutating func request(at count: WipeCount) {
        requested = min(requested, count)
    }

    /// The answer to a request that was not modified, which says nothing about `entity` itself: the server was asked
    /// about another version.
    static func unconfirmed(_ entity: Entity<Any>) -> ResponseInfo { alreadyKnown(entity) }

    /// The response to a load: a redirect is an error there, and its body is not data.
    func toLoad(_ clock: SiestaClock) -> ResponseInfo {
        guard redirectStatus != 0, case .success(let entity) = response else { return self }
        var info = self
        let cause = RequestError.Cause.RedirectNotFollowed(statusCode: Int(redirectStatus))
        info.response = .failure(
            RequestError(
                statusCode: Int(redirectStatus), headerFields: entity.headerFields, content: entity.content,
                cause: cause, userMessage: nil, clock: clock))
        return info
    }

    static var cancellation: ResponseInfo { ResponseInfo(response: .failure(.cancelled())) }
}

/// It holds an entity of any content.
@available(*, unavailable)
extension ResponseInfo: Sendable {}
