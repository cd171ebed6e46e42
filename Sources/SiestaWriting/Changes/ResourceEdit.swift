public import SiestaCore

/// An edit of the content of one resource, as a part of a change; see ``TypedResource/mutate(_:body:also:options:edit:resolve:)``.
///
/// The closure of an edit runs on the main thread when the change is made. It runs again each time the data of the
/// resource changes while the change is pending. It should be quick, must produce the same result each time, and should
/// have no side effects. A resource without content, or with content of another type, does not change.
///
/// The response to a load may contain the change while the change is still pending. An edit that inserts an item should
/// therefore check that the item is not already in the content.
@MainActor
public struct ResourceEdit {
    /// The resource whose content is edited.
    public let resource: Resource
    let edit: any ContentEdit
}

extension TypedResource {
    /// Returns an edit of the content, for a change that covers several resources:
    ///
    ///     let item = users.edit { users in users.removeAll { $0.id == 42 } }
    ///     user.mutate(.delete, also: [item])
    public func edit(_ edit: @escaping (inout Content) -> Void) -> ResourceEdit {
        ResourceEdit(resource: resource, edit: TypedEdit(edit))
    }

    /// Returns an edit that sets the whole content, even if the resource has no data.
    public func replace(by content: Content) -> ResourceEdit {
        ResourceEdit(resource: resource, edit: ReplacingEdit(content))
    }
}
