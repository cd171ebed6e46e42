/// The lines of a response while they come:
///
///     for try await line in resource.lines { print(line) }
///
/// A line ends with LF or CRLF, which are not part of it, or with the response; empty lines count. Bytes that are not
/// UTF-8 become U+FFFD. All else is as ``ResponseBytes`` has it. Memory is bounded by a line's limit and what bytes may
/// be on the way.
public struct ResponseLines: AsyncSequence, Sendable {
    /// A line without its end.
    public typealias Element = String

    /// The only error; a line over the limit has the cause ``RequestError/Cause/LineTooLong``.
    public typealias Failure = RequestError

    /// How many bytes a line may have unless it is said otherwise: a megabyte.
    public static let defaultLimit = 1 << 20

    let bytes: ResponseBytes
    let limit: Int

    /// Begins an iteration; nothing is sent before it asks for a line.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(bytes: bytes.makeAsyncIterator(), splitter: LineSplitter(limit: limit))
    }

    /// One iteration.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var bytes: ResponseBytes.AsyncIterator?
        private var splitter: LineSplitter

        init(bytes: ResponseBytes.AsyncIterator, splitter: LineSplitter) {
            self.bytes = bytes
            self.splitter = splitter
        }

        /// Waits for the next line; nil at the end of the response.
        public mutating func next() async throws(RequestError) -> String? {
            while true {
                switch splitter.next() {
                case .line(let line): return line
                case .tooLong:
                    bytes = nil
                    splitter = LineSplitter(limit: splitter.limit)
                    throw RequestError(
                        userMessage: UserMessages.current.cannotParseText,
                        cause: RequestError.Cause.LineTooLong(limit: splitter.limit))
                case .more:
                    guard let piece = try await bytes?.next() else {
                        self.bytes = nil
                        return splitter.last()
                    }
                    splitter.add(piece)
                }
            }
        }

        /// Waits for the next line; nil at the end of the response.
        public mutating func next(isolation: isolated (any Actor)?) async throws(RequestError) -> String? {
            try await next()
        }
    }
}

/// One iteration belongs to one task.
@available(*, unavailable)
extension ResponseLines.AsyncIterator: Sendable {}

extension ResponseBytes {
    /// The lines of the response, of up to a megabyte each.
    public var lines: ResponseLines { lines(limit: ResponseLines.defaultLimit) }

    /// The lines of the response; one of more than `limit` bytes is an error.
    public func lines(limit: Int) -> ResponseLines { ResponseLines(bytes: self, limit: limit) }
}

extension Resource {
    /// The lines of the response to a GET while they come; see ``ResponseLines``.
    public nonisolated var lines: ResponseLines { bytes.lines }
}
