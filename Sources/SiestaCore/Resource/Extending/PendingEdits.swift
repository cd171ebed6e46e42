package import HTTPRules

/// Edits of one resource that the server has not confirmed yet, as the core sees them. The edits are code of the app.
@MainActor
package protocol PendingEdits: ResourceExtension {
    var isEmpty: Bool { get }

    /// Applies the edits to the data of a state if the result is not known. Returns true if code of the app has run, which
    /// may have changed the resource.
    func replay(over state: Resource.State) -> Bool

    /// Sets the result of the edits in a state of the resource, unless it is there already. Runs no code of the app.
    func show(in state: inout Resource.State)

    /// Removes the edits that the response to a load contains. Called directly before the response becomes the data of the
    /// resource. Returns true if there are such edits.
    func loadEnds(_ number: Resource.State.LoadNumber, of resource: Resource, with info: ResponseInfo) -> Bool

    /// Notes that data which no load has brought replaces the data of the resource, for example the result of a change. `last`
    /// is the last load before.
    func noteSettlement(of resource: Resource, after last: Resource.State.LoadNumber)

    /// Prepares an assignment of content that was read, and that contains all edits.
    func willAssign()
}

/// A change that a request sends to the server, as the core sees it.
@MainActor
package protocol SentChange: AnyObject {
    /// True if the change deletes the resource.
    var isDeletion: Bool { get }

    /// Notes the request to which redirects have led; nil without redirects.
    func noteRedirect(_ redirect: RedirectRules.Redirect?)

    /// True if the server may have carried out the change although the last response is a refusal.
    var isRefusalUncertain: Bool { get set }

    /// Delays an invalidation until later changes have ended. Returns false if it is not delayed.
    func delays(_ target: InvalidationTarget, isCertain: Bool) -> Bool
}

extension PendingEdits {
    package var pendingEdits: (any PendingEdits)? { self }
}

extension Resource {
    /// The edits that the server has not confirmed yet; nil without them.
    var pendingEdits: (any PendingEdits)? {
        for known in extensions {
            if let edits = known.pendingEdits { return edits }
        }
        return nil
    }
}
