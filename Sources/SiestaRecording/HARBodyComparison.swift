import Foundation
import HTTPRules
import SiestaCore
import SiestaJSON

/// Compares the body of a new request with the recorded bodies of requests. Pure.
struct HARBodyComparison {
    /// The recorded body of a request, prepared for comparisons.
    struct Recorded {
        let body: HARArchive.Body?
        /// The content; nil if the recording does not contain it.
        fileprivate let content: Form?

        init(_ body: HARArchive.Body?) {
            self.body = body
            content = body?.content.map { Form($0) }
        }
    }

    /// Bytes, and their value if they are JSON, because encoders write the members of an object in any order.
    fileprivate struct Form {
        let bytes: Data
        private let json: JSONValue?

        init(_ bytes: Data) { (self.bytes, json) = (bytes, try? JSONValue(parsing: bytes)) }

        func isEqual(to other: Form) -> Bool { bytes == other.bytes || json != nil && json == other.json }
    }

    private let body: Data
    private let contentType: String
    private let redactor: HARRedactor
    private lazy var redacted = redactor.body(body, contentType: contentType)
    /// The body as it is, and after redaction, because the recording may be without redaction.
    private lazy var forms = [Form(body), Form(redacted)]
    private lazy var digest = Self.digest(of: redacted, contentType: contentType)
    /// The digest of the bytes, which earlier recordings contain.
    private lazy var plainDigest = SHA256.hexadecimal(of: [UInt8](redacted))

    init(_ body: Data, contentType: String, _ redactor: HARRedactor) {
        (self.body, self.contentType, self.redactor) = (body, contentType, redactor)
    }

    /// Returns the digest of a redacted body. It does not depend on the order of the members of JSON and on the boundary
    /// of a multipart body, which can differ each time the body is made.
    static func digest(of body: Data, contentType: String) -> String {
        var body = body
        if let json = try? JSONValue(parsing: body) {
            body = json.data
        } else if let boundary = MultipartText.boundary(in: StreamSafety.safe(contentType)) {
            body = MultipartText.renaming(boundary, to: "boundary", in: body)
        }
        return SHA256.hexadecimal(of: [UInt8](body))
    }

    /// Returns true if the bodies are equal, as far as the recording shows. They may be equal before or after redaction.
    mutating func isEqual(to recorded: Recorded) -> Bool {
        guard let known = recorded.body, !known.isEmpty || known.comment != nil else { return body.isEmpty }
        if let known = known.digest { return known == digest || known == plainDigest }
        guard let content = recorded.content, !known.isCut else { return known.size == 0 || known.size == body.count }
        if forms.contains(where: { content.isEqual(to: $0) }) { return true }
        return isSameMultipart(known, content.bytes)
    }

    /// Compares multipart bodies without their boundaries, which are random.
    private func isSameMultipart(_ known: HARArchive.Body, _ content: Data) -> Bool {
        guard let old = MultipartText.boundary(in: contentType), let new = MultipartText.boundary(in: known.contentType)
        else { return false }
        let renamed = MultipartText.renaming(old, to: new, in: body)
        return renamed == content || redactor.body(renamed, contentType: known.contentType) == content
    }
}
