public import Foundation
import HTTPRules
public import SiestaCore

/// A part of a response of type `multipart/mixed` or another multipart type (RFC 2046 §5.1).
public struct ResponsePart: Sendable, Equatable {
    /// The headers, with their names in lower case. The values of repeated headers are joined by commas.
    public var headers: [String: String]

    /// The content: the exact bytes between the headers and the line end before the next delimiter. A
    /// `Content-Transfer-Encoding` is not decoded, because HTTP does not use it.
    public var body: Data

    /// Creates a part. Names of headers are lowercased.
    package init(headers: [String: String] = [:], body: Data) {
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        self.body = body
    }

    /// The MIME type of the content with its parameters; `text/plain; charset=us-ascii` if the header `Content-Type` is
    /// missing (RFC 2046 §5.1).
    public var contentType: String { headers["content-type"].map(MediaType.single) ?? "text/plain; charset=us-ascii" }

    /// Splits this part, whose type must be a multipart type, into its own parts.
    ///
    /// - Parameters:
    ///   - maximumPartSize: The maximum size of the content of one part, in bytes. The default is 16 MB. The same limit
    ///     applies to the text before the first part.
    ///   - maximumPartCount: The maximum number of parts. The default is 10 000.
    ///   - maximumHeaderSize: The maximum size of the headers of one part, in bytes. The default is 16 KB.
    /// - Throws: An error with the code ``RequestError/Code/invalidContent`` if the part is not multipart or is
    ///   malformed, or ``RequestError/Code/contentTooLong`` if a limit is exceeded.
    public func parts(
        maximumPartSize: Int = 16 << 20, maximumPartCount: Int = 10_000, maximumHeaderSize: Int = 16 << 10
    ) throws(RequestError) -> [ResponsePart] {
        let limits = MultipartLimits(
            maximumHeaderSize: maximumHeaderSize, maximumPartSize: maximumPartSize, maximumPartCount: maximumPartCount)
        var splitter: MultipartSplitter
        do {
            splitter = try MultipartSplitter(contentType: contentType, limits: limits)
        } catch {
            throw RequestError(.init(error, part: 0))
        }
        do throws(MultipartSplitter.Reason) {
            var parts: [ResponsePart] = []
            try splitter.add(body, completing: &parts)
            try splitter.finish(completing: &parts)
            return parts
        } catch {
            throw RequestError(.init(error, part: splitter.partNumber))
        }
    }
}

extension RequestError.Failure {
    /// A response, or a part of it, that is not a multipart body (RFC 2046 §5.1) within the limits. `number` begins with
    /// 1; 0 stands for what is before the first part.
    init(_ reason: MultipartSplitter.Reason, part number: Int) {
        let words: String
        var code = RequestError.Code.invalidContent
        switch reason {
        case .notMultipart(let type): words = "the content type \(PreparedText.line(type, limit: 100)) is not multipart"
        case .missingBoundary: words = "the content type has no legal boundary"
        case .truncated: words = "the body ends before its last delimiter"
        case .malformedHeader: words = "a line of the headers is not a header"
        case .headersTooLong(let limit):
            (code, words) = (.contentTooLong, "the headers have more than \(limit) bytes; raise maximumHeaderSize")
        case .partTooLong(let limit):
            (code, words) = (.contentTooLong, "the part has more than \(limit) bytes; raise maximumPartSize")
        case .tooManyParts(let limit):
            (code, words) = (.contentTooLong, "there are more than \(limit) parts; raise maximumPartCount")
        }
        self.init(code, reason: "part \(number): \(words)")
    }
}
