import HTTPRules

/// A link in the `Link` header of a response (RFC 8288).
///
///     if let next = user.latestData?.links.first(where: { $0.relations.contains("next") }) { print(next.target) }
///
/// ``Resource/linked(_:)`` returns the resource to which a link leads.
public struct WebLink: Equatable, Sendable {
    /// The target of the link, as the server sent it: a URL, which may be relative to the URL of the resource.
    public let target: String

    /// The relation types of the link, such as `next`, in lower case.
    public let relations: [String]

    /// The parameters of the link, by their names in lower case. If a parameter occurs several times, only its first
    /// value is kept.
    public let parameters: [String: String]

    /// The URL of the resource to which the link belongs; nil if the link does not name such a URL.
    ///
    /// The URL may be relative. If the value is nil, the link belongs to the resource of the response.
    public var anchor: String? { parameters["anchor"] }

    /// The title of the link; nil if it has no title. If the link has both parameters `title` and `title*`, the value
    /// of `title*` takes precedence (RFC 8288 §3.4.1).
    public var title: String? { parameters["title*"] ?? parameters["title"] }

    init(_ link: LinkField.Link) {
        target = link.target
        relations = link.relations
        parameters = Dictionary(link.parameters.map { ($0.name, $0.value) }) { first, _ in first }
    }
}

extension Entity {
    /// The links of the `Link` header, in the order in which they were sent. Empty if there is no such header.
    ///
    /// Each access to this property parses the header again. Malformed links, and headers of more than 64 KB, are
    /// ignored.
    public var links: [WebLink] {
        headerFields["link"].map { LinkField($0).links.map { WebLink($0) } } ?? []
    }
}
