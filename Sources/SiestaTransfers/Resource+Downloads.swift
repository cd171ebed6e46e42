public import Foundation
public import SiestaCore

extension Resource {
    /// Starts a GET request, and writes the response to a file as it arrives. The response is never in memory as a
    /// whole.
    ///
    ///     let request = manual.download(to: folder.appendingPathComponent("manual.pdf"))
    ///     let file = try await request.value.content(as: URL.self)
    ///
    /// Until the download is complete, the bytes are in a hidden file in the same folder, `.NAME.part`. The complete
    /// file then gets its final name in one step, and replaces any existing file of that name.
    ///
    /// If a download fails or is cancelled, the hidden file stays. The next download to the same file requests only the
    /// missing bytes (`Range` with `If-Range`, RFC 9110 §13.1.5 and §14). This requires that the URL is the same, and
    /// that the first response had a strong validator: a strong `ETag`, or a `Last-Modified` date at least one second
    /// before the `Date` of the response. If the server has another version, or does not send the missing range with
    /// the same validator, the download starts again from the beginning. A file therefore never contains bytes of two
    /// versions. If `resuming` is false, or if the method of the request is not GET, the download always starts from the
    /// beginning, and keeps no hidden file.
    ///
    /// If the response has no content (status 204 or 205), the download fails with ``RequestError/Code/noFileContent``,
    /// and an existing file at `file` does not change. If the server sends the file in too many small ranges, the
    /// download fails with ``RequestError/Code/tooManyPartialResponses``. If the file cannot be written, the download
    /// fails with ``RequestError/Code/fileNotWritten``. If the folder is missing or not writable, the download fails
    /// before a request is sent.
    ///
    /// If ``Configuration/retry`` allows another attempt after a failure, this attempt also requests only the missing
    /// bytes, provided that the conditions above are met.
    ///
    /// If the request succeeds, its content is the URL of the file, and its headers are those of the response. The
    /// request does not change the state of the resource. The pipeline does not process successful responses. It
    /// processes error responses, but only the first megabyte of the body. Downloads to the same file run one after
    /// another.
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
