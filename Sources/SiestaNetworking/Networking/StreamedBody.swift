/// A request body that is read while it is sent.
public protocol StreamedBody: Sendable {
    /// The length of the body in bytes; nil if it is unknown before the end.
    var length: Int64? { get }

    /// True if each reader reads the same bytes.
    ///
    /// If the value is false, a redirect that requires the body cannot be followed. A provider that follows redirects
    /// then fails with ``RequestError/Code/unrepeatableBody``. A provider that does not follow redirects returns the
    /// redirect as the response, as it returns all redirects.
    var isRepeatable: Bool { get }

    /// Returns a reader at the start of the body. Throws if the body cannot be read, or cannot be read a second time.
    func makeReader() throws -> any BodyReader
}

/// A body that is encrypted where it is stored. It is never copied to a file.
package protocol SealedBody: StreamedBody {}
