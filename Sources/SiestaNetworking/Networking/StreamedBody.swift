/// A request body that is read while it is sent.
public protocol StreamedBody: Sendable {
    /// The length of the body in bytes; nil if it is not known in advance.
    var length: Int64? { get }

    /// True if the body can be read several times, and each reader reads the same bytes.
    ///
    /// If the value is false, a provider cannot follow a redirect after which the body must be sent again. If the
    /// provider normally follows redirects, the request fails with ``RequestError/Code/unrepeatableBody``. If the
    /// provider never follows redirects, the redirect becomes the response, like any other redirect.
    var isRepeatable: Bool { get }

    /// Returns a new reader that begins at the start of the body. Throws an error if the body cannot be read, or cannot
    /// be read again.
    func makeReader() throws -> any BodyReader
}

/// A body that is encrypted where it is stored. It is never copied to a file.
package protocol SealedBody: StreamedBody {}
