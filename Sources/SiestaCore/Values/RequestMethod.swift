/// The HTTP methods for the requests of a resource. The raw value is the name in lower case.
///
/// RFC 9110 §9.3 defines these methods, except PATCH (RFC 5789). For any other method, see
/// ``Resource/request(method:requestMutation:)``.
public enum RequestMethod: String, CaseIterable, Sendable {
    /// Asks for the methods that a resource allows.
    case options
    /// Retrieves the resource. ``Resource/load()`` uses this method.
    case get
    /// Retrieves the headers of the response to GET.
    case head
    /// Submits content for the resource to process.
    case post
    /// Replaces the resource.
    case put
    /// Changes a part of the resource.
    case patch
    /// Removes the resource.
    case delete
}
