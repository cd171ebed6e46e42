/// A step that changes a response before the app receives the response. A transformer can parse, convert or validate a
/// response, turn a success into a failure, or turn a failure into a success.
///
/// ``ResponseContentTransformer`` is an implementation that applies a function to the content. Transformers run on
/// background threads. Several transformers may run at the same time.
#if Swift5Clients
@preconcurrency
#endif
public protocol ResponseTransformer: CustomDebugStringConvertible, Sendable {
    /// Returns the response for the next transformer: `response` itself, or a changed response.
    func process(_ response: Response) -> Response
}

extension ResponseTransformer {
    /// The name of the type.
    public var debugDescription: String { String(describing: type(of: self)) }

    /// Logs that this transformer produced `response`, in the category `pipeline`. Returns `response`.
    public func logTransformation(_ response: Response) -> Response {
        SiestaLog.log(.pipeline, ["  ├╴Applied transformer:", debugDescription, "↳", response.description])
        return response
    }
}
