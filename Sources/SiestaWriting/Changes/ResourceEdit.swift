public import SiestaCore

/// An edit of the content of one resource, as a part of a change; see
/// ``TypedResource/mutate(_:body:also:options:edit:resolve:)``.
///
/// The closure of an edit runs on the main thread when the change is made. While the change is pending, the closure
/// runs again each time the data of the resource changes. The closure should be quick and have no side effects, and
/// must produce the same result each time. As long as the resource has no content, or content of another type, the edit
/// has no effect.
///
/// While a change is pending, the response to a load may already contain the change. Therefore, an edit that inserts an
/// item should first check whether the content already contains the item.
@MainActor
public struct ResourceEdit {
    /// The resource whose content is edited.
    public let resource: Resource
    let edit: any ContentEdit
}

extension TypedResource {
    /// Returns an edit of this resource's content, which you can pass to a change of another resource:
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
