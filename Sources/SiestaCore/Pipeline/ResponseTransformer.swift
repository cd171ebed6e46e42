/// A step that processes a response before the app receives it. A transformer can parse, convert or validate a
/// response, turn a success into a failure, or turn a failure into a success.
///
/// To convert only the content, you do not need a type of your own: pass a function to ``ResponseContentTransformer``.
/// Transformers run on background threads. Several transformers may run at the same time.
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

    /// Logs, in the category `pipeline`, that this transformer has produced `response`, and returns `response`.
    public func logTransformation(_ response: Response) -> Response {
        SiestaLog.log(.pipeline, ["  ├╴Applied transformer:", debugDescription, "↳", response.description])
        return response
    }
}
