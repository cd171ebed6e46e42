public import SiestaCore

/// The lines of a response; see ``ResponseBytes/lines``.
package struct ResponseLines: AsyncSequence, Sendable {
    let bytes: ResponseBytes
    let limit: Int

    /// Creates an iterator, which sends the request when its first line is requested.
    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// The iterator of one loop over the lines.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private var bytes: ResponseBytes.AsyncIterator?
        private var splitter: LineSplitter
        private var permit: DeliveryPermit

        init(_ lines: ResponseLines) {
            (bytes, splitter) = (lines.bytes.makeAsyncIterator(), LineSplitter(limit: lines.limit))
            permit = DeliveryPermit(lines.bytes.resource)
        }

        /// Waits for the next line. Returns nil at the end of the response.
        package mutating func next() async throws(RequestError) -> String? {
            while true {
                if bytes != nil { try await check() }
                switch splitter.next() {
                case .line(let line): return line
                case .tooLong:
                    bytes = nil
                    splitter = LineSplitter(limit: splitter.limit)
                    throw RequestError(.contentTooLong(splitter.limit, raise: "the limit of lines"))
                case .more:
                    // If this throws, nothing follows, because the last line is incomplete.
                    guard var bytes = self.bytes.take() else { return nil }
                    guard let piece = try await bytes.next() else {
                        try await check()
                        return splitter.last()
                    }
                    self.bytes = bytes
                    splitter.add(piece)
                }
            }
        }

        /// Drops the lines that have arrived if they must not be delivered any more.
        private mutating func check() async throws(RequestError) {
            do throws(RequestError) { try await permit.check() } catch {
                (bytes, splitter) = (nil, LineSplitter(limit: splitter.limit))
                throw error
            }
        }

        /// Waits for the next line. Returns nil at the end of the response.
        package mutating func next(isolation: isolated (any Actor)?) async throws(RequestError) -> String? {
            try await next()
        }
    }
}

/// Not `Sendable`: an iteration belongs to one task.
@available(*, unavailable)
extension ResponseLines.AsyncIterator: Sendable {}

extension ResponseBytes {
    /// The lines of the response, delivered as they arrive. If a line is longer than 1 MB, the iteration fails.
    ///
    /// A line ends at LF, at CRLF, or at the end of the response. The elements do not contain the line ends. Empty
    /// lines are also elements. Bytes that are not valid UTF-8 become U+FFFD. A byte order mark at the start of the
    /// response is removed.
    ///
    /// In all other respects, this sequence works in the same way as ``ResponseBytes``. The sequence needs memory for
    /// the buffered bytes and for one line.
    public var lines: some AsyncSequence<String, RequestError> & Sendable { lines(limit: 1 << 20) }

    /// Returns the ``lines`` of the response. If a line is longer than `limit` bytes, the iteration fails with the code
    /// ``RequestError/Code/contentTooLong``.
    public func lines(limit: Int) -> some AsyncSequence<String, RequestError> & Sendable {
        ResponseLines(bytes: self, limit: limit)
    }
}

extension Resource {
    /// The lines of the response to a GET request, delivered as they arrive; see ``ResponseBytes/lines``.
    ///
    ///     for try await line in resource.lines { print(line) }
    public nonisolated var lines: some AsyncSequence<String, RequestError> & Sendable { bytes.lines }
}
