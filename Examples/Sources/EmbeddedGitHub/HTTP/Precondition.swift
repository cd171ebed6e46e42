/// What a client already has, according to its request (RFC 9110 section 13).
enum Precondition: Sendable, Equatable {
    /// It named no version.
    case none

    /// It has some version, whichever (`If-None-Match: *`).
    case anyVersion

    /// It has the versions with these tags.
    case tags([EntityTag])

    /// It has what was current at that time.
    case date(Moment)

    /// Reads the headers: `If-Modified-Since` counts only without `If-None-Match`, and only if its date can be read.
    init(_ headers: HTTPHeaders) {
        if let tags = headers["If-None-Match"] {
            self = tags == "*" ? .anyVersion : .tags(EntityTag.list(tags))
        } else if let date = headers["If-Modified-Since"].flatMap(Moment.init(httpDate:)) {
            self = .date(date)
        } else {
            self = .none
        }
    }

    /// Whether a write of a representation with this tag is wanted (RFC 9110 section 13.1.1). Tags are compared strongly.
    static func permitsWrite(_ headers: HTTPHeaders, of tag: EntityTag) -> Bool {
        guard let wanted = headers["If-Match"] else { return true }
        return wanted == "*" || EntityTag.list(wanted).contains { $0 == tag && !tag.isWeak }
    }

    /// Whether the client has the current version, so that a GET or HEAD is answered with 304.
    ///
    /// Tags are compared weakly; a representation without a date is never "not modified since".
    func isSatisfied(by tag: EntityTag, modified: Moment?) -> Bool {
        switch self {
        case .none: false
        case .anyVersion: true
        case .tags(let tags): tags.contains { $0.weaklyMatches(tag) }
        case .date(let date): modified.map { $0 <= date } ?? false
        }
    }
}
