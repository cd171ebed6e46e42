/// Something that a GET found, with the validators that spare sending it again.
struct Resource: Sendable, Equatable {
    /// The content.
    var json: JSON

    /// When the content last changed, if that is known.
    var modified: Moment?

    /// The way to the other pages of a list.
    var links: String?

    /// 200 with the content, or 304 without if the client has this version (RFC 9110 sections 13.1 and 15.4.5).
    ///
    /// Both carry the same `ETag`, `Last-Modified`, `Cache-Control`, `Vary` and `Link`.
    func response(to request: HTTPRequest) -> HTTPResponse {
        var response = HTTPResponse(200, json: json)
        let tag = EntityTag(of: response.body)
        if Precondition(request.headers).isSatisfied(by: tag, modified: modified) { response = HTTPResponse(304) }
        response.headers["ETag"] = tag.description
        response.headers["Last-Modified"] = modified?.httpDate
        response.headers["Cache-Control"] = "private, max-age=60"
        response.headers["Vary"] = "Accept, Authorization, Cookie, Accept-Encoding"
        response.headers["Link"] = links
        return response
    }
}
