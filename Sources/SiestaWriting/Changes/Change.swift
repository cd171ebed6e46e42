import SiestaCore

/// A pending change to a resource with typed content; see ``TypedResource/mutate(_:body:also:options:edit:resolve:)``.
///
///     let change = user.mutate(.patch, body: .json(["name": "Grace"])) { $0.name = "Grace" }
///     let confirmed = try await change.value
@MainActor
public final class Change<Content: Sendable>: PendingChange {
    /// Waits for the end of the change, and returns the content of the resource. The content contains the edits of
    /// changes that are still pending. The value is nil if the resource has no content of this type.
    ///
    /// If the change creates or updates an item of a list, the value is the item in the response. If the response to a
    /// creation contains no item, the value is the item that the app has created.
    ///
    /// If the waiting task is cancelled, the change continues.
    ///
    /// - Throws: If the change has failed, the error of the change. The edits of the change have then already
    ///   disappeared. If the task is cancelled, an error with the cause ``RequestError/Cause/RequestCancelled``.
    public var value: Content? {
        get async throws(RequestError) {
            _ = try await request.value
            if let item = confirmation?.content as? Content { return item }
            return resource.shownData?.cast(to: Content.self)
        }
    }
}
