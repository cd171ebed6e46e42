public import Foundation
public import SiestaCore

extension Resource {
    /// Starts a GET request whose response is written to a file while it arrives. The response is never in memory as a
    /// whole.
    ///
    ///     let request = manual.download(to: folder.appendingPathComponent("manual.pdf"))
    ///     let file = try await request.value.content(as: URL.self)
    ///
    /// Until the download is complete, the bytes are in a hidden file in the same folder, `.NAME.part`. The complete
    /// file gets its final name in one step, and replaces an existing file with this name.
    ///
    /// A download that fails or is cancelled keeps the hidden file. The next download to the same file requests only
    /// the missing bytes (`Range` with `If-Range`, RFC 9110 §13.1.5 and §14). To resume a download, the URL must be the
    /// same, and the first response must have a strong validator. A strong validator is a strong `ETag`, or a
    /// `Last-Modified` date at least a second before the `Date` of the response. If the server has another version, or
    /// does not send the missing range with the same validator, the download starts again from the beginning. A file
    /// therefore never contains bytes of two versions. If `resuming` is false, the download always starts from the
    /// beginning, and keeps no hidden file.
    ///
    /// If the response has no content (status 204 or 205), the download fails with ``RequestError/Code/noFileContent``,
    /// and an existing file does not change. If the server sends the file in too many small ranges, the download fails
    /// with ``RequestError/Code/tooManyPartialResponses``. If the file cannot be written, the download fails with
    /// ``RequestError/Code/fileNotWritten``. If the folder is missing or not writable, the download fails before a
    /// request is sent.
    ///
    /// If ``Configuration/retry`` allows another attempt after a failure, this attempt requests only the missing bytes
    /// under the same conditions.
    ///
    /// The content of a successful request is the file's URL, with the headers of the response. The request does not
    /// change the state of the resource. The pipeline does not process a successful response. It processes an error
    /// response, with at most the first MB of the body. Downloads to the same file run one after another.
    ///
    /// The download uses the headers and decorators of GET requests, but sets `Range`, `If-Range` and `Accept-Encoding`
    /// itself.
    @discardableResult
    public func download(
        to file: URL, resuming: Bool = true, requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        let recipe = NetworkRequest.Recipe(resource: self, method: .get, mutation: requestMutation).unprocessed
        return request(DownloadRequest(recipe, to: file, isResuming: resuming))
    }
}
