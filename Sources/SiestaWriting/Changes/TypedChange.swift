public import SiestaCore

/// A pending change of a resource with typed content: a typed view of a ``PendingChange``.
///
///     let change = user.mutate(.patch, body: ["name": "Grace"]) { $0.name = "Grace" }
///     let confirmed = try await change.value
///
/// The change is sent even if nothing references this value.
@MainActor
public struct TypedChange<Content: Sendable>: Sendable {
    /// The untyped change.
    public nonisolated let change: PendingChange

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
            _ = try await change.value
            if let item = change.confirmation?.content as? Content { return item }
            return change.resource.shownData?.cast(to: Content.self)
        }
    }

    /// The progress of the change.
    public var state: PendingChange.State { change.state }

    /// The change as a request, for hooks; see ``PendingChange/request``.
    public var request: any Request { change.request }

    /// Cancels the change; see ``PendingChange/cancel()``.
    public func cancel() { change.cancel() }
}
