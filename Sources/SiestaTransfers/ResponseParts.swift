import Foundation
public import SiestaCore

/// The parts of a multipart response; see ``ResponseBytes/parts(maximumPartSize:maximumPartCount:maximumHeaderSize:)``.
struct ResponseParts: AsyncSequence, Sendable {
    /// A part with its headers and its content.
    typealias Element = ResponsePart

    /// The type of all errors.
    typealias Failure = RequestError

    let bytes: ResponseBytes
    let limits: MultipartLimits

    /// Creates the iterator of a new iteration. The iterator sends the request when it is asked for the first part.
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// The iterator of one loop over the parts.
    struct AsyncIterator: AsyncIteratorProtocol {
        private let parts: ResponseParts
        private var bytes: ResponseBytes.AsyncIterator?
        private var splitter: MultipartSplitter?
        private var ready: ArraySlice<ResponsePart> = []
        private var defect: MultipartSplitter.Reason?
        private var permit: DeliveryPermit

        init(_ parts: ResponseParts) {
            self.parts = parts
            bytes = parts.bytes.makeAsyncIterator()
            permit = DeliveryPermit(parts.bytes.resource)
        }

        /// Waits for the next part. Returns nil at the end of the response, and after an error was thrown.
        mutating func next() async throws(RequestError) -> ResponsePart? {
            while true {
                if bytes != nil || !ready.isEmpty { try await check() }
                if let part = ready.popFirst() { return part }
                if let defect = defect.take() {
                    bytes = nil
                    let number = splitter?.partNumber ?? 0
                    throw await parts.bytes.failure(RequestError.Failure(defect, part: number))
                }
                // If this throws, nothing follows, because the rest of the response is incomplete.
                guard var bytes = self.bytes.take() else { return nil }
                let piece = try await bytes.next()
                if piece != nil { self.bytes = bytes }
                var complete: [ResponsePart] = []
                do throws(MultipartSplitter.Reason) {
                    try split(piece, bytes.response.head, completing: &complete)
                } catch {
                    defect = error
                }
                ready = ArraySlice(complete)
            }
        }

        /// Drops the parts that have arrived if they must not be delivered any more.
        private mutating func check() async throws(RequestError) {
            do throws(RequestError) { try await permit.check() } catch {
                (bytes, ready, defect) = (nil, [], nil)
                throw error
            }
        }

        /// Waits for the next part. Returns nil at the end of the response, and after an error was thrown.
        mutating func next(isolation: isolated (any Actor)?) async throws(RequestError) -> ResponsePart? {
            try await next()
        }

        /// Appends the parts that a piece completes; at the end, the last part.
        private mutating func split(
            _ piece: Data?, _ head: NetworkResponse.Head?, completing complete: inout [ResponsePart]
        ) throws(MultipartSplitter.Reason) {
            // The splitter is taken out, so that its buffers are not copied.
            var current: MultipartSplitter
            if let known = exchange(&splitter, with: nil) {
                current = known
            } else {
                let type = head?.fields.contentType ?? "application/octet-stream"
                current = try MultipartSplitter(contentType: type, limits: parts.limits)
            }
            defer { splitter = current }
            guard let piece else { return try current.finish(completing: &complete) }
            try current.add(piece, completing: &complete)
        }
    }
}

/// Not `Sendable`: an iteration belongs to one task.
@available(*, unavailable)
extension ResponseParts.AsyncIterator: Sendable {}

extension ResponseBytes {
    /// Returns an asynchronous sequence of the parts of a multipart response (RFC 2046 §5.1), delivered as they arrive:
    ///
    ///     for try await part in resource.parts { print(part.contentType, part.body.count) }
    ///
    /// The response must have the type `multipart/mixed` or another multipart type, such as `multipart/byteranges`.
    /// Text before the first part and after the last part is ignored. A part that is itself multipart is one element;
    /// read it with ``ResponsePart/parts(maximumPartSize:maximumPartCount:maximumHeaderSize:)``.
    ///
    /// In all other respects, this sequence works in the same way as ``ResponseBytes``. The sequence needs memory for
    /// the buffered bytes, for one incomplete part, and for the parts that one received piece completes.
    ///
    /// If the response is not multipart, is malformed, or ends before its last delimiter, the iteration fails with the
    /// code ``RequestError/Code/invalidContent``. Parts before the error are still delivered. If the response exceeds a
    /// limit, the iteration fails with the code ``RequestError/Code/contentTooLong``.
    ///
    /// - Parameters:
    ///   - maximumPartSize: The maximum size of the content of one part, in bytes. The default is 16 MB. The same limit
    ///     applies to the text before the first part.
    ///   - maximumPartCount: The maximum number of parts. The default is 10 000.
    ///   - maximumHeaderSize: The maximum size of the headers of one part, in bytes. The default is 16 KB.
    public func parts(
        maximumPartSize: Int = 16 << 20, maximumPartCount: Int = 10_000, maximumHeaderSize: Int = 16 << 10
    ) -> some AsyncSequence<ResponsePart, RequestError> & Sendable {
        let limits = MultipartLimits(
            maximumHeaderSize: maximumHeaderSize, maximumPartSize: maximumPartSize, maximumPartCount: maximumPartCount)
        return ResponseParts(bytes: self, limits: limits)
    }
}

extension Resource {
    /// The parts of a multipart response to a GET request, delivered as they arrive; see
    /// ``ResponseBytes/parts(maximumPartSize:maximumPartCount:maximumHeaderSize:)``.
    public nonisolated var parts: some AsyncSequence<ResponsePart, RequestError> & Sendable { bytes.parts() }
}
