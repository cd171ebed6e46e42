/// A step that changes a response before the app receives it. It parses, converts or validates the response, or turns a
/// success into a failure or vice versa.
///
/// ``ResponseContentTransformer`` is an implementation that applies a function to the content. Transformers run on
/// background threads, and several may run at the same time.
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
