public import SiestaCore

/// An edit of the content of one resource, as a part of a change; see
/// ``TypedResource/mutate(_:body:also:options:edit:resolve:)``.
///
/// The closure of an edit runs on the main thread when the change is made. While the change is pending, the closure
/// runs again each time the data of the resource changes. The closure should be quick, must produce the same result
/// each time, and should have no side effects. If the resource has no content, or content of another type, the edit has
/// no effect.
///
/// While a change is pending, the response to a load may already contain the change. Therefore an edit that inserts an
/// item should check that the content does not contain the item.
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
