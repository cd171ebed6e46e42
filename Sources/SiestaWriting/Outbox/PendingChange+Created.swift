import Foundation
import HTTPRules
public import SiestaCore

extension PendingChange {
    /// Changes a resource that this durable change creates, and whose URL is therefore not known yet.
    ///
    ///     let draft = posts.mutate(.post, body: post, durable: true) { $0.append(post) }
    ///     draft.change.mutateCreated(.patch, body: ["title": "News"])
    ///
    /// The outbox keeps the change, and sends it after this one to the URL in the server's `Location`. If the server
    /// has refused the creation, the change waits. If the creation is dropped, or the server does not send a URL of the
    /// same origin, it stays in the outbox, and ``Outbox/obstacle(for:)`` is ``OutboxObstacle/unknownAddress``. If the
    /// creation has already ended without such a URL, the change fails with ``OutboxError/unknownAddress(id:)``.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: An escaped path below the created resource; empty for the resource itself.
    ///   - body: The body, encoded as JSON; nil for none.
    ///   - edits: The edits that are shown until the server has confirmed the change.
    @discardableResult
    public func mutateCreated(
        _ method: RequestMethod, path: String = "", body: (any Encodable)? = nil, also edits: [ResourceEdit] = []
    ) -> PendingChange {
        MainQueue.check("PendingChange.mutateCreated(_:path:body:also:)")
        let encoder = resource.configuration(for: method).encoding
        let encoded = Result { try body.map { try encoder.encode($0) } }
        var options = ChangeOptions()
        options.scope = scope.text
        let data = (try? encoded.get()) ?? nil
        let change = PendingChange(
            of: resource, method, ChangeBody(data: data, contentType: data == nil ? nil : "application/json"), edits,
            options, nil)
        if case .failure(let error) = encoded {
            change.refuse(error)
        } else if let address = createdAddress(path) {
            change.startInOutbox(at: address, creator: self)
        } else {
            let id = entryID ?? ""
            change.refuse(isConfirmed ? OutboxError.unknownAddress(id: id) : .unknownDependency(id: id))
        }
        return change
    }

    /// True if the server has carried out the change.
    var isConfirmed: Bool { state == .settling || state == .succeeded }

    /// The address of the created resource, or below it; nil if this change creates none.
    private func createdAddress(_ path: String) -> OutboxAddress? {
        guard let entryID else { return nil }
        let address = OutboxAddress.created(by: entryID, path: path)
        if let createdURL { return address.resolved(entryID, at: createdURL) }
        return isPending ? address : nil
    }
}
