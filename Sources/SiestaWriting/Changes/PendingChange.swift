public import Foundation
package import HTTPRules
public import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A change to one or more resources that the app shows at once, before the server has confirmed it.
///
/// While a change is pending, the resources that it edits show their data with these edits. When a load replaces the
/// data, the edits are applied to the new data. If the change fails or is cancelled, only its own edits disappear. If
/// the change succeeds, its result becomes part of the data; see ``ChangeOptions/Settlement``.
///
/// Use a change on the main actor. A change is sent even if nothing references it.
@MainActor
public class PendingChange {
    /// The progress of a change, from waiting to success or failure.
    public enum State: Sendable {
        /// The change has not been sent yet, for example because an earlier change in the same queue has not ended.
        case waiting
        /// The request is running.
        case sending
        /// The change has a conflict, and the app is resolving it.
        case resolving
        /// The server has carried out the change, but the result is not part of the data yet.
        case settling
        /// The server has refused the change, or the outbox cannot send it. The change stays in the outbox until the
        /// app drops, edits or retries it.
        case refused
        /// The change has a conflict that no resolver has resolved. The change stays in the outbox until the app drops,
        /// edits or retries it.
        case conflict
        /// The server has carried out the change.
        case succeeded
        /// The change has failed or was cancelled. If the response was lost, the server may still have carried out the
        /// change.
        case failed
    }

    /// The resource to which the request is sent.
    public let resource: Resource

    /// The HTTP method of the request.
    public internal(set) var method: RequestMethod

    /// The edits, in the order in which they are applied.
    public private(set) var edits: [ResourceEdit]

    /// The options with which the change was made.
    public let options: ChangeOptions

    /// The time at which the change was made.
    public let date: Date

    /// The current state of the change. Observation does not track this property. To be notified when the change ends,
    /// use ``request``.
    public var state: State { life.state }
    private var life = ChangeLife()

    /// A request that represents the whole change. Its hooks run when the change has ended, after the resources have
    /// been updated. If you cancel this request, the change is cancelled: its edits disappear, even if the server has
    /// already received the change.
    public private(set) var request: any Request

    /// The resource to which the request is sent. It differs from ``resource`` if another change has created it: then
    /// nothing is known of it before.
    var target: Resource
    /// True if the change is sent to the resource that another change creates.
    var isOfCreated = false

    /// The resource that has no data after a success, because the change deletes it; nil if there is none. If the change
    /// replaces the content of the resource, the app knows what remains.
    var deleted: Resource? {
        guard method == .delete, !edits.contains(where: { $0.resource === target && $0.edit.replacesContent }) else {
            return nil
        }
        return target
    }

    /// The item of a list that the change creates or edits; nil if it is no change of an item.
    var confirmation: (any ItemConfirmation)?
    /// The resource of the item that the response contains, if the change has created it; nil before.
    var created: Resource?

    /// The principal who made the change; nil if nobody was signed in.
    let maker: Principal?
    /// The wipe count when the change was made.
    let made = WipeCount.now
    let resolver: UntypedResolver?
    var body: RequestBody.Encoded?
    /// The data of ``resource`` on which the edit was based.
    var basis: Basis
    /// The condition that replaces the one of the options after a conflict; nil before.
    var forcedCondition: Outbox.Condition?
    /// The basis and the edits of ``resource`` before the first conflict; nil if there was none.
    var conflicting: (basis: Basis, edits: [(change: PendingChange, edit: any ContentEdit)])?
    /// True if the app has decided to overwrite the content of the server. Then it is asked again only after status 409.
    var isForced = false
    /// True if the server has carried out another change of ``resource``, or may have, since this one was sent.
    var isOvertaken = false
    /// The newest loads of the resources that this change edits when it, or the one that replaces it, was sent.
    private var loadsBefore: [Resource: Resource.State.LoadNumber] = [:]
    /// The newest loads of the edited resources when the server had carried out the change, if it is settled by loads.
    var reloads: [Resource: Resource.State.LoadNumber] = [:]
    /// The earlier changes that this change has replaced. They end together with it.
    var replaced: [PendingChange] = []
    let delegate: ChangeDelegate
    /// True if the change has left its queue. An invalidation by a repeated request that ends later is not delayed, because
    /// no end of the change would make it.
    var hasFinished = false
    /// The position among all changes of the service.
    var number = 0
    /// The outbox that keeps the change; nil if it ends with the process.
    private(set) var outbox: Outbox?
    private var acceptance: Result<Void, any Error>?
    private var waitingForAcceptance: [CheckedContinuation<Void, any Error>] = []

    /// The URL of the resource that this change has created, if the change is in an outbox. The URL is the `Location`
    /// in the response or, if the response to a PUT contains none, the URL of the request. The value is nil until the
    /// server has confirmed the change. It stays nil if there is no such URL, or if the `Location` names another
    /// origin.
    public internal(set) var createdURL: String?

    /// The request to which redirects of the last attempt have led; nil without redirects.
    var redirect: RedirectRules.Redirect?
    package var isRefusalUncertain = false
    /// The number of the last responses that say that the server is still working on an earlier attempt.
    var unfinishedCount = 0

    /// The identity of the change's entry in the outbox; nil if the change is not durable.
    public private(set) var entryID: String?

    /// True if the condition is the one in the outbox. If an earlier process has made the change, the data of the cache may
    /// be newer than the version on which the edit was based. The app may also have edited the condition in the outbox.
    var hasStoredCondition = false
    /// The condition that the earlier process has stored; nil if this process has made the change.
    private var restoredCondition: Outbox.Condition?
    /// True if an earlier process has made the change.
    var isRestored: Bool { restoredCondition != nil }

    /// The number of times that the app was asked about a conflict.
    var conflictCount: Int { life.conflictCount }

    /// The data on which an edit is based.
    struct Basis {
        var entity: Entity<Any>?
        let revision: UInt32

        /// True for the same data, and for other data with the same version: a server may send a version twice, and local
        /// content keeps the header fields.
        func isSameVersion(as other: Basis) -> Bool {
            if revision == other.revision { return true }
            let version = Outbox.Condition(unchanged: entity)
            return version != nil && version == Outbox.Condition(unchanged: other.entity)
        }
    }

    init(
        of resource: Resource, _ method: RequestMethod, _ body: RequestBody.Encoded?, _ edits: [ResourceEdit],
        _ options: ChangeOptions, _ resolver: UntypedResolver?, date: Date? = nil
    ) {
        (self.resource, self.method, self.body, self.edits) = (resource, method, body, edits)
        (self.options, self.resolver, target) = (options, resolver, resource)
        (basis, maker) = (resource.basis, resource.context.principal)
        self.date = date ?? Date(timeIntervalSinceReferenceDate: resource.context.clock.wallTime)
        delegate = ChangeDelegate { [maker] start in
            let again = PendingChange(of: resource, method, body, edits, options, resolver)
            // The edits and the body are those of another user. The app may repeat those of nobody after a sign-in.
            if maker != nil, resource.context.isFormer(maker) {
                again.end(with: again.cancellation)
            } else {
                start(again)
            }
            return again
        }
        request = LiveRequest(delegate: delegate, heartbeat: resource.context.heartbeat)
        delegate.change = self
        request.onCompletion { _ in }  // Tasks that stop waiting do not cancel the change.
    }

    /// Makes this the change of an earlier process. Other data than the version that the condition names is not its basis.
    func restore(with condition: Outbox.Condition) {
        (hasStoredCondition, restoredCondition) = (true, condition)
        if condition != .unconditional, Outbox.Condition(unchanged: basis.entity) != condition { basis.entity = nil }
    }

    /// Notes the data on which the edit of an earlier process was based: the version that the stored condition names.
    /// When the change was restored, no cache had been read.
    func findBasis(in state: Resource.State) {
        guard let restoredCondition, conflicting == nil, basis.entity == nil,
            Outbox.Condition(unchanged: state.data) == restoredCondition
        else { return }
        basis = Basis(entity: state.data, revision: state.contentRevision)
    }

    /// The resources whose content the change edits, without duplicates.
    public var resources: [Resource] { edits.map(\.resource).uniqued }

    /// Notes the loads that have begun before the change is sent.
    func noteSending() {
        isOvertaken = false
        for change in withReplaced {
            for resource in change.resources {
                change.loadsBefore[resource] = resource.state.lastLoad
            }
        }
    }

    /// Returns true if a load of a resource has begun, or data was pushed, since the change was sent. Then nobody knows which
    /// data is newer. All loads count if another object has sent the change.
    func isOverlapped(at resource: Resource) -> Bool {
        let sent = (replaced + [self]).first { $0.state != .failed && $0.loadsBefore[resource] != nil }
        let last = sent?.loadsBefore[resource] ?? 0
        return resource.state.shownLoad > last || resource.running.firstLoad(after: last) != nil
    }

    /// Notes that the result of another change has become the data of a resource. This is no load.
    ///
    /// - Parameter last: the newest load before.
    func noteSettlement(of resource: Resource, after last: Resource.State.LoadNumber) {
        if loadsBefore[resource] == last { loadsBefore[resource] = resource.state.lastLoad }
    }

    /// The changes that this one has replaced, and itself, as far as they are pending.
    var withReplaced: [PendingChange] { (replaced + [self]).filter(\.isPending) }

    /// True if the server may have carried out the change, and the data is not stale for this reason yet.
    var mayBeApplied: Bool {
        state == .sending || state == .settling && reloads.isEmpty || outbox?.mayBeApplied(self) ?? false
    }

    /// True until the change has succeeded or failed.
    public var isPending: Bool { life.isPending }

    /// True if the server has carried out the change.
    var isConfirmed: Bool { life.isConfirmed }

    private var endings: [(_ isSuccess: Bool) -> Void] = []

    /// Adds a closure that runs once when the change has ended or is hidden, before the hooks of ``request``. The request of
    /// a change that an outbox keeps after a refusal is complete already.
    package func onEnd(_ ending: @escaping (_ isSuccess: Bool) -> Void) { endings.append(ending) }

    func runEndings() {
        let ended = exchange(&endings, with: [])
        guard !ended.isEmpty else { return }
        resource.context.clock.whileCurrent { for end in ended { end(state == .succeeded) } }
    }

    /// Passes to another state; see ``ChangeLife``. A step that the present state excludes is a mistake of this library. Then
    /// the state stays, and ``Changes/illegalStep`` describes the mistake.
    func pass(to next: State) {
        guard !life.pass(to: next) else { return }
        let step = "\(state) -> \(next)"
        SiestaLog.log(.stateChanges, ["A change has not made an illegal step:", step])
        resource.context.feature(Changes.self).illegalStep = step
    }

    /// Waits until the outbox has stored the change on disk. If the change is not durable, does not wait.
    ///
    /// - Throws: The error that prevented the outbox from accepting the change, such as an ``OutboxError``, or the error
    ///   of a body that cannot be encoded. The change has then failed.
    public func accepted() async throws {
        if let acceptance { return try acceptance.get() }
        guard outbox != nil else { return }
        try await withCheckedThrowingContinuation { waitingForAcceptance.append($0) }
    }

    /// Makes an outbox keep the change.
    func keep(in outbox: Outbox, id: String) {
        (self.outbox, entryID) = (outbox, id)
    }

    func accept(_ result: Result<Void, any Error>) {
        acceptance = result
        for continuation in exchange(&waitingForAcceptance, with: []) { continuation.resume(with: result) }
    }

    /// Returns a response that fails with a cause.
    func failure(_ cause: any Error) -> ResponseInfo {
        let error = resource.context.clock.whileCurrent {
            var error = RequestError(userMessage: UserMessages.current.cannotSendRequest, cause: cause)
            error.setRequest(resource.url, method: method.rawValue.uppercased())
            return error
        }
        return ResponseInfo(response: .failure(error))
    }

    var cancellation: ResponseInfo { resource.context.clock.whileCurrent { .cancellation } }

    /// Adds a closure that runs on the main thread if the change fails or is cancelled. When the closure runs, the
    /// edits have already disappeared, unless an outbox keeps the change until the app decides.
    ///
    ///     post.mutate(.patch, body: .json(["isLiked": true])) { $0.isLiked = true }
    ///         .onFailure { error in print(error.userMessage) }
    @discardableResult
    public func onFailure(_ callback: @escaping (RequestError) -> Void) -> Self {
        request.onFailure(callback)
        return self
    }

    /// Cancels the change. The edits of the change disappear, and a running request is cancelled. The server may
    /// already have received the change.
    public func cancel() {
        request.cancel()
        // The request of a change that an outbox has kept after a refusal is complete.
        if let changes = resource.context.changes, changes.isShown(self) { changes.cancel(self) }
    }

    var scope: ExactText { ExactText(options.scope ?? resource.address) }

    /// The condition of the request.
    var condition: Outbox.Condition {
        if let forcedCondition { return forcedCondition }
        switch precondition {
        case .none: return .unconditional
        case .unchanged: return Outbox.Condition(unchanged: isOfCreated ? nil : basis.entity) ?? .unconditional
        case .absent: return .absent
        }
    }

    var precondition: Precondition {
        options.precondition ?? resource.configuration(for: method).precondition
    }

    /// The settlement of a success. If the change has a condition, and the response does not name the new version, the data
    /// is loaded. Otherwise the next change could have no condition.
    func settlement(after response: Entity<Any>) -> ChangeOptions.Settlement {
        guard precondition == .unchanged, Outbox.Condition(unchanged: version(in: response)) == nil, deleted == nil,
            edits.contains(where: { $0.resource === target })
        else { return options.settlement }
        return .reload
    }

    /// Returns the response if its validators identify the new version of ``target``. The status 201 to a POST identifies
    /// another resource, which the change has created (RFC 9110 §15.3.2).
    func version(in response: Entity<Any>) -> Entity<Any>? {
        let isOfOther = method == .post && response.statusCode == 201 || confirmation?.isOfCreation ?? false
        return isOfOther || !isOwnContent(response) ? nil : response
    }

    /// True if redirects have led to a request with another method. Its response says nothing about the change (RFC 9110
    /// §15.4.4).
    var isAnsweredByOther: Bool { redirect.map { $0.method != method.rawValue.uppercased() } ?? false }

    /// False if the content of a response is that of another resource than ``target``, for example a receipt (RFC 9110
    /// §8.7 and §15.4.4). The content of a 202 describes the work of the server (RFC 9110 §15.3.3).
    func isOwnContent(_ response: Entity<Any>) -> Bool {
        guard response.statusCode != 202 else { return false }
        let (own, url) = (target.url, redirect?.url ?? target.url)
        if isAnsweredByOther, !own.hasSameTarget(as: url) { return false }
        guard response.headerFields.contains("content-location") else { return true }
        guard let field = response.headerFields.reference("content-location") else { return false }
        let content = URL(reference: field, relativeTo: url)
        return content == nil || own.hasSameTarget(as: content) || url.hasSameTarget(as: content)
    }

    /// Replaces the edits of ``resource`` by one.
    func replaceOwnEdits(by edit: any ContentEdit) {
        let old = edits
        edits = old.filter { $0.resource !== resource } + [ResourceEdit(resource: resource, edit: edit)]
        extendLifetime(old)
    }

    /// Returns the recipe of the request.
    var recipe: NetworkRequest.Recipe {
        NetworkRequest.Recipe(resource: resource, method: method, body: body) { [condition] request in
            condition.add(to: &request)
        }
    }
}

extension Resource {
    /// The data as the basis of a change.
    var basis: PendingChange.Basis { PendingChange.Basis(entity: state.data, revision: state.contentRevision) }
}

extension PendingChange: SentChange {
    package var isDeletion: Bool { method == .delete }

    package func noteRedirect(_ redirect: RedirectRules.Redirect?) {
        self.redirect = redirect
    }

    package func delays(_ target: InvalidationTarget, isCertain: Bool) -> Bool {
        resource.context.changes?.delays(target, after: self, isCertain: isCertain) ?? false
    }
}
