/// A request body that is read while it is sent.
public protocol StreamedBody: Sendable {
    /// How many bytes the body has, or nil if that is not known before its end.
    var length: Int64? { get }

    /// Whether a second reader would read the same again: without that, a redirect that wants the body cannot be
    /// followed. A provider that would have followed it fails with ``RequestError/Cause/UnrepeatableBody``; one that
    /// leaves redirects to the app delivers it as the response.
    var isRepeatable: Bool { get }

    /// A reader at the start of the body. Throws if the body cannot be read, or not a second time.
    func makeReader() throws -> any BodyReader
}
