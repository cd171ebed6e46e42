public import Foundation
import HTTPRules
public import SiestaCore

/// A part of a response of type `multipart/mixed` or another multipart type (RFC 2046 §5.1).
public struct ResponsePart: Sendable, Hashable {
    /// The headers, with their names in lower case. The values of repeated headers are joined by commas.
    public var headers: [String: String]

    /// The content: the exact bytes between the headers and the line end before the next delimiter. A
    /// `Content-Transfer-Encoding` is not decoded; HTTP does not need it.
    public var body: Data

    /// Creates a part. Names of headers are lowercased.
    public init(headers: [String: String] = [:], body: Data) {
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        self.body = body
    }

    /// Returns the value of a header; nil if there is no such header. Header names are case-insensitive.
    public func header(forKey key: String) -> String? { headers[key.lowercased()] }

    /// The MIME type with its parameters. If the header is missing, `text/plain; charset=us-ascii` (RFC 2046 §5.1).
    public var contentType: String { headers["content-type"].map(MediaType.single) ?? "text/plain; charset=us-ascii" }

    /// Returns the parts of a part that is itself multipart.
    ///
    /// - Throws: ``RequestError/Code/invalidContent``.
    public func parts(
        limits: MultipartLimits = MultipartLimits()
    ) throws(RequestError.Cause.InvalidMultipartResponse) -> [ResponsePart] {
        var splitter: MultipartSplitter
        do {
            splitter = try MultipartSplitter(contentType: contentType, limits: limits)
        } catch {
            throw RequestError.Cause.InvalidMultipartResponse(partNumber: 0, reason: error)
        }
        do throws(MultipartSplitter.Reason) {
            var parts: [ResponsePart] = []
            try splitter.add(body, completing: &parts)
            try splitter.finish(completing: &parts)
            return parts
        } catch {
            throw RequestError.Cause.InvalidMultipartResponse(partNumber: splitter.partNumber, reason: error)
        }
    }
}
