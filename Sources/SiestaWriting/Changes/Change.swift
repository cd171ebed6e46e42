import SiestaCore

/// A change to a resource with typed content, made with ``TypedResource/mutate(_:body:also:options:edit:resolve:)``.
///
///     let change = user.mutate(.patch, body: .json(["name": "Grace"])) { $0.name = "Grace" }
///     let confirmed = try await change.value
@MainActor
public final class Change<Content: Sendable>: PendingChange {
    /// Waits until the change has ended, and returns the content of the resource, including the edits of changes that
    /// are still pending. Returns nil if the resource has no content, or content of another type.
    ///
    /// If the change creates or updates an item of a list, the value is the item in the response. If the response to a
    /// creation contains no item, the value is the draft that the app has passed.
    ///
    /// If the waiting task is cancelled, the wait ends, but the change continues.
    ///
    /// - Throws: The error of the change if the change has failed. By then, its edits have been undone, unless an
    ///   outbox keeps the change until the app drops, edits or retries it. If the waiting task is cancelled, the error
    ///   has the cause ``RequestError/Cause/RequestCancelled``.
    public var value: Content? {
        get async throws(RequestError) {
            _ = try await request.value
            if let item = confirmation?.content as? Content { return item }
            return resource.shownData?.cast(to: Content.self)
        }
    }
}
