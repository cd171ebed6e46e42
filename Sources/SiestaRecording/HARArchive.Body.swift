package import Foundation

extension HARArchive {
    /// The body of a request or a response.
    package struct Body: Sendable, Equatable {
        /// The content type; an empty text if it is unknown.
        package var contentType: String

        /// The size of the whole body in bytes, before redaction and truncation.
        package var size: Int

        /// The bytes, or the first part of them if ``isCut`` is true. Nil if the recording does not contain them.
        package var content: Data?

        /// The SHA-256 digest of the redacted body, as 64 hexadecimal digits; see ``HARBodyComparison``. Nil if the
        /// recording has no digest.
        package var digest: String?

        /// True if ``content`` is not the whole body.
        package var isCut = false

        /// A note for people; nil if there is none.
        package var comment: String?

        /// Creates a body.
        package init(_ content: Data?, contentType: String = "") {
            (self.content, self.contentType) = (content, contentType)
            size = content?.count ?? 0
        }

        /// True if the body is known to be empty.
        var isEmpty: Bool { size <= 0 && (content ?? Data()).isEmpty && digest == nil }
    }
}

extension HARArchive.Body: Codable {
    private enum CodingKeys: String, CodingKey {
        case size, mimeType, text, encoding, comment
        // The format has no encoding for bodies of requests. Names of additional fields begin with an underscore.
        case requestEncoding = "_encoding"
        case requestSize = "_size"
        case digest = "_sha256"
        case isCut = "_isCut"
    }

    /// Reads a body.
    ///
    /// - Throws: A `DecodingError`, also for invalid Base64.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let text = try fields.decodeIfPresent(String.self, forKey: .text)
        let encoding =
            try fields.decodeIfPresent(String.self, forKey: .encoding)
            ?? fields.decodeIfPresent(String.self, forKey: .requestEncoding)
        self.init(try text.map { try Self.bytes($0, encoding, fields) })
        contentType = try fields.decodeIfPresent(String.self, forKey: .mimeType) ?? ""
        let size =
            try fields.decodeIfPresent(Int.self, forKey: .size)
            ?? fields.decodeIfPresent(Int.self, forKey: .requestSize)
        self.size = max(size ?? content?.count ?? 0, 0)
        if self.size > 0, content?.isEmpty == true { content = nil }  // Tools write an empty text for a missing body.
        digest = try fields.decodeIfPresent(String.self, forKey: .digest)
        isCut = try fields.decodeIfPresent(Bool.self, forKey: .isCut) ?? false
        comment = try fields.decodeIfPresent(String.self, forKey: .comment)
    }

    private static func bytes(
        _ text: String, _ encoding: String?, _ fields: KeyedDecodingContainer<CodingKeys>
    ) throws -> Data {
        guard let encoding, !encoding.isEmpty else { return Data(text.utf8) }
        guard encoding.lowercased() == "base64" else {
            throw DecodingError.dataCorruptedError(
                forKey: .encoding, in: fields, debugDescription: "The only known encoding of a text is base64.")
        }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters), !data.isEmpty || text.isEmpty
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .text, in: fields, debugDescription: "The text is not Base64, as its encoding says.")
        }
        return data
    }

    /// Writes the body of a response.
    package func encode(to encoder: any Encoder) throws {
        try encode(to: encoder, encodingKey: .encoding, sizeKey: .size)
    }

    /// Writes the body of a request.
    struct OfRequest: Encodable {
        let body: HARArchive.Body

        func encode(to encoder: any Encoder) throws {
            try body.encode(to: encoder, encodingKey: .requestEncoding, sizeKey: .requestSize)
        }
    }

    private func encode(to encoder: any Encoder, encodingKey: CodingKeys, sizeKey: CodingKeys) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(size, forKey: sizeKey)
        try fields.encode(contentType, forKey: .mimeType)
        if let content, let text = String(validating: content, as: UTF8.self) {
            try fields.encode(text, forKey: .text)
        } else if let content {
            try fields.encode(content.base64EncodedString(), forKey: .text)
            try fields.encode("base64", forKey: encodingKey)
        } else if sizeKey == .requestSize {
            try fields.encode("", forKey: .text)  // The format demands a text for requests, but not for responses.
        }
        try fields.encodeIfPresent(digest, forKey: .digest)
        if isCut { try fields.encode(isCut, forKey: .isCut) }
        try fields.encodeIfPresent(comment, forKey: .comment)
    }
}
