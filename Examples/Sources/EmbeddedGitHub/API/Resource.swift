/// Something that a GET found, with the validators that spare sending it again.
struct Resource: Sendable, Equatable {
    /// The content.
    let body: [UInt8]

    /// The media type of the content.
    let contentType: String

    /// How long clients may use the content without asking again.
    let cacheControl: String

    /// The seconds that the content has spent in caches on its way; nil if the server itself answers.
    var age: Int?

    /// When the content last changed, if that is known.
    var modified: Moment?

    /// The number of the last event that the content contains; nil if no stream keeps it in step.
    var lastEventID: Int?

    /// The way to the other pages of a list.
    var links: String?

    /// JSON, which belongs to one client.
    init(json: JSON, modified: Moment? = nil, links: String? = nil) {
        (body, contentType, cacheControl) = (json.utf8, "application/json; charset=utf-8", "private, max-age=60")
        (self.modified, self.links) = (modified, links)
    }

    /// Text from a cache on the way, which may be used stale while it is asked for again.
    init(text: String, age: Int, maxAge: Int, staleWhileRevalidate: Int, staleIfError: Int) {
        (body, contentType, self.age) = (Array(text.utf8), "text/plain; charset=utf-8", age)
        cacheControl =
            "max-age=\(maxAge), stale-while-revalidate=\(staleWhileRevalidate), stale-if-error=\(staleIfError)"
    }

    /// An image, which is the same for all clients.
    init(png body: [UInt8]) {
        (self.body, contentType, cacheControl) = (body, "image/png", "public, max-age=300")
    }

    /// 200 with the content, or 304 without if the client has this version (RFC 9110 sections 13.1 and 15.4.5).
    ///
    /// Both carry the same `ETag`, `Last-Modified`, `Cache-Control`, `Age`, `Last-Event-ID`, `Vary` and `Link`.
    func response(to request: HTTPRequest) -> HTTPResponse {
        var response = HTTPResponse(200, contentType: contentType, body: body)
        let tag = EntityTag(of: body)
        if Precondition(request.headers).isSatisfied(by: tag, modified: modified) { response = HTTPResponse(304) }
        response.headers["ETag"] = tag.description
        response.headers["Last-Modified"] = modified?.httpDate
        response.headers["Cache-Control"] = cacheControl
        response.headers["Age"] = age.map(String.init)
        response.headers["Last-Event-ID"] = lastEventID.map(String.init)
        response.headers["Vary"] = "Accept, Authorization, Cookie, Accept-Encoding"
        response.headers["Link"] = links
        return response
    }
}
