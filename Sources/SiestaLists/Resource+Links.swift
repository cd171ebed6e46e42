import Foundation
import HTTPRules
public import SiestaCore

extension Resource {
    /// Returns the target of a link in the `Link` header of the latest data (RFC 8288); nil if there is no link with
    /// this relation type.
    ///
    ///     let next = page.linked("next")
    ///
    /// The URL of the target is resolved against the URL of this resource, and its fragment is removed. Links whose
    /// `anchor` names another resource are ignored. The target may have a different origin.
    ///
    /// - Parameter relation: The relation type, such as `next`. Case does not matter.
    public func linked(_ relation: String) -> Resource? {
        MainQueue.checkInDebug("Resource.linked(_:)")
        return latestData.flatMap { linked([relation.lowercased()], in: $0) }
    }

    /// Returns the target of the first link in `entity` with one of the relation types. They are in lower case.
    func linked<Content>(_ relations: [String], in entity: Entity<Content>) -> Resource? {
        let link = entity.links.first { link in
            link.relations.contains(where: relations.contains) && (link.anchor.map(isOwn) ?? true)
        }
        return link.map { linkTarget($0.target) }
    }

    /// Returns the resource to which a link of a server leads. A fragment names a part of it (RFC 3986 §3.5), and is not
    /// sent. With the fragment, the resource would be another one with the same data.
    func linkTarget(_ href: String) -> Resource {
        relative(String(decoding: href.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self))
    }

    /// Returns true if the anchor of a link is this resource.
    private func isOwn(_ anchor: String) -> Bool {
        guard !anchor.isEmpty else { return true }
        guard let context = URL(reference: anchor, relativeTo: url) else { return false }
        return context.fragment == nil && context.hasSameTarget(as: url)
    }
}
