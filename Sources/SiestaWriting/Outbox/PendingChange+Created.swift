import Foundation
import HTTPRules
public import SiestaCore

extension PendingChange {
    /// Changes a resource that this durable change creates, and whose URL is not known yet.
    ///
    ///     let draft = posts.mutate(.post, body: .encoded(post), durable: true) { $0.append(post) }
    ///     draft.mutateCreated(.patch, body: .json(["title": "News"]))
    ///
    /// The outbox keeps the new change, and sends it after this change, to the URL in the server's `Location`. If the
    /// server has refused the creation, the new change waits.
    ///
    /// If the creation is dropped, or if the server sends no URL of the same origin, the new change stays in the
    /// outbox. ``Outbox/obstacle(for:)`` then returns ``Outbox/Obstacle/unknownAddress``. If the creation has already
    /// ended without a URL, the new change fails with ``OutboxError/unknownAddress(id:)``.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: An escaped path below the created resource; empty for the resource itself.
    ///   - body: The body; nil for none.
    ///   - edits: The edits that are shown until the server has confirmed the change.
    @discardableResult
    public func mutateCreated(
        _ method: RequestMethod, path: String = "", body: RequestBody? = nil, also edits: [ResourceEdit] = []
    ) -> PendingChange {
        MainQueue.check("PendingChange.mutateCreated(_:path:body:also:)")
        var options = ChangeOptions()
        options.scope = scope.text
        let (address, id) = (createdAddress(path), entryID ?? "")
        let isConfirmed = isConfirmed
        let change: Change<Never> = resource.makeChange(method, body, edits, options, nil) { [self] change in
            if let address { return change.startInOutbox(at: address, creator: self) }
            change.refuse(isConfirmed ? OutboxError.unknownAddress(id: id) : .unknownDependency(id: id))
        }
        return change
    }

    /// The address of the created resource, or below it; nil if this change creates none.
    private func createdAddress(_ path: String) -> Outbox.Address? {
        guard let entryID else { return nil }
        let address = Outbox.Address.created(by: entryID, path: path)
        if let createdURL { return address.resolved(entryID, at: createdURL) }
        return isPending ? address : nil
    }
}
