public import Foundation

extension Resource {
    /// Starts a GET whose answer is written to a file while it comes, and never in memory as a whole.
    ///
    ///     let request = manual.download(to: folder.appendingPathComponent("manual.pdf"))
    ///     let file = try await request.content(as: URL.self)
    ///
    /// The file gets its name in one step when it is complete, in place of one that was there; until then the bytes are
    /// in a hidden file beside it, `.NAME.part`. A download that fails or is cancelled leaves that, and the next one to
    /// the same file asks for the rest (`Range` with `If-Range`, RFC 9110 §13.1.5 and §14), if it is of the same URL
    /// and the server gave the first a strong validator: a strong `ETag`, or a `Last-Modified` that was over a second
    /// past. If the server has another version by now, or answers with anything but the range that is missing and the
    /// same validator, the download starts over: a file never has bytes of two versions. With `resuming` false it starts
    /// over in any case, and leaves nothing.
    ///
    /// A response without content (204 or 205) fails with ``RequestError/Cause/NoFileContent``, and the file that is
    /// there stays. A server that sends the file in too many small ranges ends the download with
    /// ``RequestError/Cause/TooManyPartialResponses``.
    ///
    /// The request succeeds with the file's URL as the content, and the headers of the answer; it changes neither the
    /// state of the resource nor goes through the pipeline. A server's refusal does go through it, with the first MB of
    /// its body. What cannot be written fails with ``RequestError/Cause/FileFailure``: before anything is sent, if the
    /// folder is missing or must not be written. Downloads to the same file take place one after another.
    ///
    /// Headers and decorators are those of any GET, but `Range`, `If-Range` and `Accept-Encoding`, which are the
    /// download's own.
    @discardableResult
    public func download(
        to file: URL, resuming: Bool = true, requestMutation: @escaping RequestMutation = { _ in }
    ) -> any Request {
        let recipe = NetworkRequest.Recipe(resource: self, method: .get, mutation: requestMutation)
        return request(DownloadRequest(recipe, to: file, isResuming: resuming))
    }
}
