public import Foundation
public import SiestaCore

extension TypedResource {
    /// Starts a request with a form as its body; see ``Resource/upload(_:multipart:requestMutation:)``.
    @discardableResult
    public func upload(
        _ method: RequestMethod = .post, multipart form: MultipartForm,
        requestMutation: @escaping Resource.RequestMutation = { _ in }
    ) -> any Request {
        resource.upload(method, multipart: form, requestMutation: requestMutation)
    }

    /// Starts a request with the content of a file as its body; see
    /// ``Resource/upload(_:file:contentType:requestMutation:)``.
    @discardableResult
    public func upload(
        _ method: RequestMethod = .put, file: URL, contentType: String = "application/octet-stream",
        requestMutation: @escaping Resource.RequestMutation = { _ in }
    ) -> any Request {
        resource.upload(method, file: file, contentType: contentType, requestMutation: requestMutation)
    }

    /// Starts a request with the elements of a sequence as its body; see
    /// ``Resource/upload(_:stream:length:contentType:requestMutation:)``.
    @discardableResult
    public func upload<Pieces: AsyncSequence & Sendable>(
        _ method: RequestMethod = .put, stream pieces: Pieces, length: Int64? = nil,
        contentType: String = "application/octet-stream",
        requestMutation: @escaping Resource.RequestMutation = { _ in }
    ) -> any Request where Pieces.Element == Data {
        resource.upload(
            method, stream: pieces, length: length, contentType: contentType, requestMutation: requestMutation)
    }
}
