import SiestaCore

/// A pending change of a resource with typed content; see ``TypedResource/mutate(_:body:also:options:edit:resolve:)``.
///
///     let change = user.mutate(.patch, body: .json(["name": "Grace"])) { $0.name = "Grace" }
///     let confirmed = try await change.value
@MainActor
public final class Change<Content: Sendable>: PendingChange {
    /// Waits for the end of the change. Returns the content of the resource afterwards, with the edits of other pending
    /// changes; nil if the resource has no content of this type. Returns the item of the response if the change creates or
    /// updates an item of a list, and without one the created item of the app.
    ///
    /// The change continues if the waiting task is cancelled.
    ///
    /// - Throws: The error with which the change has failed. Its edits have then disappeared. If the task is cancelled,
    ///   an error with the cause ``RequestError/Cause/RequestCancelled``.
    public var value: Content? {
        get async throws(RequestError) {
            _ = try await request.value
            if let item = confirmation?.content as? Content { return item }
            return resource.shownData?.cast(to: Content.self)
        }
    }
}
