import Foundation
import HTTPRules
public import SiestaCore

extension PendingChange {
    /// Changes the resource that this durable change creates, even if its URL is not known yet.
    ///
    ///     let draft = posts.mutate(.post, body: .encoded(post), durable: true) { $0.append(post) }
    ///     draft.mutateCreated(.patch, body: .json(["title": "News"]))
    ///
    /// The outbox keeps the new change. It sends the new change to the ``PendingChange/createdURL`` after the server
    /// has confirmed this change. If the server refuses this change, the new change waits.
    ///
    /// If this change is dropped, or if the server sends no URL of the same origin, the new change stays in the outbox.
    /// ``Outbox/obstacle(for:)`` then returns ``Outbox/Obstacle/unknownAddress``. If the server has already confirmed
    /// this change without such a URL, the new change fails with ``OutboxError/unknownAddress(id:)``.
    ///
    /// - Parameters:
    ///   - method: The method of the request, for example `.patch`.
    ///   - path: A percent-encoded path below the created resource. The default is empty: the resource itself.
    ///   - body: The body of the request; nil for none.
    ///   - edits: The edits that the app shows at once, for example in the list that contains the new resource.
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
