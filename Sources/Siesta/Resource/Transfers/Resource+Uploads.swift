public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Resource {
    /// Starts a request with a form as its body; see ``MultipartForm``.
    ///
    /// The body is never in memory as a whole, and is sent with its `Content-Length`. What cannot be sent or read fails
    /// with ``RequestError/Cause/InvalidMultipartForm`` or ``RequestError/Cause/UnreadableBody``. In everything else
    /// this is a request as any other: decorated, with the answer through the pipeline. Progress counts the bytes that
    /// were handed to the network.
    @discardableResult
    public func upload(
        _ method: RequestMethod = .post, multipart form: MultipartForm,
        requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        upload(method, contentType: form.contentType, requestMutation) { try form.encoded() }
    }

    /// Starts a request with the content of a file as its body, as it is when the request starts.
    ///
    /// A file that is not there, or that is changed while it is sent, fails with ``RequestError/Cause/UnreadableBody``.
    @discardableResult
    public func upload(
        _ method: RequestMethod = .put, file: URL, contentType: String = "application/octet-stream",
        requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        upload(method, contentType: contentType, requestMutation) { SegmentedBody(segments: [try .file(file)]) }
    }

    /// Starts a request whose body is what a sequence brings, read as the network takes it, and once: a repeated
    /// request, and a redirect that wants the body again, fail with ``RequestError/Cause/UnrepeatableBody``.
    ///
    /// With a `length`, in bytes, the server is told so, and a sequence of another length, shorter or longer, fails with
    /// ``RequestError/Cause/UnreadableBody``; the last piece is not sent before the sequence has ended, and with a length
    /// of 0 nothing is. Without a length, the body is sent in chunks (RFC 9112 §7.1), and progress is a guess.
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
            return unsendable(RequestError.Cause.InvalidHeader(name: "Content-Type"))
        }
        var recipe = NetworkRequest.Recipe(resource: self, method: method) { request in
            request.setValue(contentType, forHTTPHeaderField: "Content-Type")
            mutation(&request)
        }
        recipe.makeBody = makeBody
        return request(recipe)
    }
}
