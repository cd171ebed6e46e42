import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HARArchive {
    /// A response.
    package struct Response: Sendable, Equatable {
        /// The status; 0 if there was no response.
        package var status: Int

        /// The version of HTTP, such as "HTTP/1.1"; an empty text if it is unknown.
        package var httpVersion: String

        /// The header fields.
        package var headers: [Header]

        /// The body, after its content coding was removed.
        package var body: Body

        /// The URL of the response, if it differs from the URL of the request because of redirects.
        package var url: String?

        /// Creates a response.
        package init(
            status: Int, headers: [Header] = [], body: Body = Body(Data()), httpVersion: String = "HTTP/1.1"
        ) {
            (self.status, self.headers, self.body, self.httpVersion) = (status, headers, body, httpVersion)
        }

        /// Returns the value of a header field, in any case; nil if there is none.
        func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }
}

extension HARArchive.Response: Codable {
    private enum CodingKeys: String, CodingKey {
        case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize
        case url = "_url"
    }

    private var statusText: String { status == 0 ? "" : HTTPURLResponse.localizedString(forStatusCode: status) }

    /// Reads a response.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            status: try fields.decode(Int.self, forKey: .status),
            headers: try fields.decodeIfPresent([HARArchive.Header].self, forKey: .headers) ?? [],
            body: try fields.decodeIfPresent(HARArchive.Body.self, forKey: .content) ?? HARArchive.Body(Data()),
            httpVersion: try fields.decodeIfPresent(String.self, forKey: .httpVersion) ?? "")
        url = try fields.decodeIfPresent(String.self, forKey: .url)
    }

    /// Writes the response. The list of cookies is empty: they are in the header `Set-Cookie`.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(status, forKey: .status)
        try fields.encode(statusText, forKey: .statusText)
        try fields.encode(httpVersion, forKey: .httpVersion)
        try fields.encode([HARArchive.Header](), forKey: .cookies)
        try fields.encode(headers, forKey: .headers)
        try fields.encode(body, forKey: .content)
        try fields.encode(header("Location") ?? "", forKey: .redirectURL)
        try fields.encode(-1, forKey: .headersSize)
        try fields.encode(-1, forKey: .bodySize)
        try fields.encodeIfPresent(url, forKey: .url)
    }
}
