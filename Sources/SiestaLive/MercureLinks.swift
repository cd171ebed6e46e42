import Foundation
import HTTPRules
import SiestaCore

/// The links of a resource to its Mercure hubs and to its topic (Mercure §3).
@MainActor
struct MercureLinks {
    private let resource: Resource
    /// The links whose context is the resource (RFC 8288 §3.2).
    private let links: [LinkField.Link]

    /// - Parameter field: the `Link` field of a response of the resource; nil if it has none.
    init(_ field: String?, of resource: Resource) {
        self.resource = resource
        links = (field.map { LinkField($0).links } ?? []).filter { link in
            guard let anchor = link["anchor"], !anchor.isEmpty else { return true }
            return URL(reference: anchor, relativeTo: resource.url)?.hasSameTarget(as: resource.url) ?? false
        }
    }

    /// Returns the URL of a target; nil if it is none. A server may send thousands of links: a resource for each of them would
    /// displace those of the app from memory.
    private func url(of link: LinkField.Link) -> URL? {
        link.target.isEmpty ? resource.url : URL(reference: link.target, relativeTo: resource.url)
    }

    /// Returns the first hub that may be used; nil if there is none.
    func hub(permitting hubs: [URL]) -> Resource? {
        let named = hubLinks
        let permitted = named.first { link in url(of: link).map { resource.mayUse($0, among: hubs) } ?? false }
        if let permitted { return resource.relative(permitted.target) }
        if let hub = named.first.flatMap(url) {
            SiestaLog.log(
                .network,
                ["The Mercure hub", hub, "has another origin. Pass it as one of the hubs of LiveSource.mercure."])
        }
        return nil
    }

    /// The topic: the target of the link to the resource itself or, without such a link, its URL.
    var topic: String {
        let link = links.first { $0.relations.contains("self") }
        return (link.map { resource.relative($0.target) } ?? resource).url.absoluteString
    }

    /// Returns the identifier of the last event of a hub; nil if it is not known.
    func lastID(of stream: LiveStream.Key) -> String? {
        hubLinks.first { link in url(of: link).map { stream.isHub(at: $0.absoluteString) } ?? false }?["last-event-id"]
    }

    private var hubLinks: [LinkField.Link] { links.filter { $0.relations.contains("mercure") } }
}

extension Resource {
    /// True if a hub has the origin of the resource, or of one of the hubs that the app permits.
    func mayUse(_ hub: URL, among hubs: [URL]) -> Bool {
        ([url] + hubs).map(URLOrigin.init).contains(URLOrigin(hub))
    }
}
