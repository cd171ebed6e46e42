/// Changes a response on its way to the app: parses, converts, validates, turns success into failure or back.
///
/// ``ResponseContentTransformer`` is the convenient way to make one. Transformers run on background threads, several at
/// a time.
@preconcurrency
public protocol ResponseTransformer: CustomDebugStringConvertible, Sendable {
    /// The response to pass on: `response` itself, or what became of it.
    func process(_ response: Response) -> Response
}

extension ResponseTransformer {
    /// The name of the type.
    public var debugDescription: String { String(describing: type(of: self)) }

    /// Logs in category `pipeline` that this transformer produced `response`, and returns it.
    public func logTransformation(_ response: Response) -> Response {
        SiestaLog.log(.pipeline, ["  ├╴Applied transformer:", debugDescription, "↳", response.description])
        return response
    }
}
