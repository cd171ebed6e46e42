import HTTPRules

extension HARArchive {
    /// A request as the app sent it.
    package struct Request: Sendable, Equatable {
        /// The method, such as "GET".
        package var method: String

        /// The absolute URL.
        package var url: String

        /// The header fields. Fields that the provider adds, such as `Host`, are not included.
        package var headers: [Header]

        /// The body; nil if there is none.
        package var body: Body?

        /// Creates a request.
        package init(method: String = "GET", url: String, headers: [Header] = [], body: Body? = nil) {
            (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
        }
    }
}

extension HARArchive.Request: Codable {
    private enum CodingKeys: String, CodingKey {
        case method, url, httpVersion, cookies, headers, queryString, postData, headersSize, bodySize
    }

    /// Reads a request.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            method: try fields.decode(String.self, forKey: .method), url: try fields.decode(String.self, forKey: .url),
            headers: try fields.decodeIfPresent([HARArchive.Header].self, forKey: .headers) ?? [],
            body: try fields.decodeIfPresent(HARArchive.Body.self, forKey: .postData))
    }

    /// Writes the request. The list of cookies is empty: they are in the header `Cookie`.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(method, forKey: .method)
        try fields.encode(url, forKey: .url)
        try fields.encode("HTTP/1.1", forKey: .httpVersion)
        try fields.encode([HARArchive.Header](), forKey: .cookies)
        try fields.encode(headers, forKey: .headers)
        try fields.encode(queryItems, forKey: .queryString)
        try fields.encodeIfPresent(body.map { HARArchive.Body.OfRequest(body: $0) }, forKey: .postData)
        try fields.encode(-1, forKey: .headersSize)
        try fields.encode(body?.size ?? 0, forKey: .bodySize)
    }

    private var queryItems: [HARArchive.Header] {
        let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        return QueryText.items(of: String(query)).map { HARArchive.Header(name: $0.name, value: $0.value) }
    }
}
