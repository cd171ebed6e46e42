public import Foundation
import HTTPRules
public import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Resource {
    /// Starts a request with a form as its body; see ``MultipartForm``.
    ///
    /// With libcurl, the body is never in memory as a whole, and is sent with a `Content-Length`. `URLSession`, and
    /// providers that cannot stream, receive a form of at most 1 MB without files as `Data`, and any other form as an
    /// `InputStream`. `URLSession` on Linux sends an `InputStream` in chunks, without a `Content-Length`.
    ///
    /// If the form cannot be sent or read, the request fails with ``RequestError/Code/unencodableBody`` or
    /// ``RequestError/Code/unreadableBody``. Decorators apply to the request, and the pipeline processes its response.
    /// The progress counts the bytes that were passed to the network.
    @discardableResult
    public func upload(
        _ method: RequestMethod = .post, multipart form: MultipartForm,
        requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        upload(method, contentType: form.contentType, requestMutation) { try form.encoded() }
    }

    /// Starts a request with the content of a file as its body. The file is read while it is sent.
    ///
    /// If the file is missing, the request fails with ``RequestError/Code/unreadableBody``. With libcurl, the request
    /// also fails with this cause if the file is changed after the start of the request without growing. Bytes that are
    /// appended to the file after the start are not sent. With `URLSession`, the library does not detect changes.
    @discardableResult
    public func upload(
        _ method: RequestMethod = .put, file: URL, contentType: String = "application/octet-stream",
        requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        upload(method, contentType: contentType, requestMutation) { SegmentedBody(segments: [try .file(file)]) }
    }

    /// Starts a request with the elements of a sequence as its body. The sequence is read only once, and not faster
    /// than the network sends it. A repeated request, and a redirect that requires the body again, fail with
    /// ``RequestError/Code/unrepeatableBody``.
    ///
    /// If `length`, in bytes, is not nil, it is sent to the server. If the sequence is shorter or longer, the request
    /// fails with ``RequestError/Code/unreadableBody``. To ensure this, the last piece is sent only after the sequence
    /// has ended. If the length is 0, no piece is sent. If `length` is nil, the body is sent in chunks (RFC 9112 §7.1),
    /// and the progress is a rough estimate.
    @discardableResult
    public func upload<Pieces: AsyncSequence & Sendable>(
        _ method: RequestMethod = .put, stream pieces: Pieces, length: Int64? = nil,
        contentType: String = "application/octet-stream", requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request where Pieces.Element == Data {
        let body = SequenceBody(pieces, length: length)
        return upload(method, contentType: contentType, requestMutation) { body }
    }

    private func upload(
        _ method: RequestMethod, contentType: String, _ mutation: @escaping RequestMutation,
        _ makeBody: @escaping NetworkRequest.BodyMaker
    ) -> any Request {
        guard HeaderSyntax.isValue(contentType) else {
            return unsendable(RequestError.Failure.invalidHeader("Content-Type"))
        }
        var recipe = NetworkRequest.Recipe(resource: self, method: method) { request in
            request.setValue(contentType, forHTTPHeaderField: "Content-Type")
            mutation(&request)
        }
        recipe.makeBody = makeBody
        return request(recipe)
    }
}
