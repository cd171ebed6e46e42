import SiestaCore

/// A state that a resource has in a preview or a screenshot.
public struct ResourcePreview<Content> {
    let content: Content?
    let error: RequestError?
    let isLoading: Bool

    private init(_ content: Content?, error: RequestError? = nil, isLoading: Bool = false) {
        (self.content, self.error, self.isLoading) = (content, error, isLoading)
    }

    /// A state with no data, no error, and no load.
    public static var empty: ResourcePreview { ResourcePreview(nil) }

    /// A state in which the first load is running. The load never ends.
    public static var loading: ResourcePreview { ResourcePreview(nil, isLoading: true) }

    /// Returns a state in which older content is shown while a load is running. The load never ends.
    public static func loading(showing content: Content) -> ResourcePreview {
        ResourcePreview(content, isLoading: true)
    }

    /// Returns a state with content that is up to date.
    public static func data(_ content: Content) -> ResourcePreview { ResourcePreview(content) }

    /// Returns a state after a failed load.
    ///
    /// - Parameters:
    ///   - error: The error of the load. An error that is not a `RequestError` becomes the cause of a `RequestError`.
    ///   - content: Older content that is still shown; nil for none.
    public static func error(_ error: any Error, showing content: Content? = nil) -> ResourcePreview {
        let error = error as? RequestError ?? RequestError(response: nil, content: nil, cause: error)
        return ResourcePreview(content, error: error)
    }

    /// Returns a state after a failed load whose error has the given `userMessage`.
    public static func error(_ message: String, showing content: Content? = nil) -> ResourcePreview {
        ResourcePreview(content, error: RequestError(userMessage: message, cause: PreviewError()))
    }
}

/// The cause of an error that a preview shows.
struct PreviewError: Error {}

/// Not sendable, because the content may be of any type.
@available(*, unavailable)
extension ResourcePreview: Sendable {}
