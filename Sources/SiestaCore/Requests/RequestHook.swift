/// A hook of a request: a callback, a follower, a task or another request.
enum RequestHook {
    case none
    case completion((ResponseInfo) -> Void)
    case success((Entity<Any>) -> Void)
    case newData((Entity<Any>) -> Void)
    case notModified(() -> Void)
    case failure((RequestError) -> Void)
    case progress((Double) -> Void)
    /// The resource that made the request, and its service. The service is nil if the request itself keeps the service
    /// alive.
    case owner(any RequestFollower, keeping: AnyObject?)
    /// A resource, the number of its load that this request performs, and its service. The service is nil if the
    /// request itself keeps the service alive.
    case load(any RequestFollower, Int32, keeping: AnyObject?)
    /// A task that waits for the request.
    case waiter(RequestWaiter)
    /// The callback of another request whose work includes this request. `isWanted` returns true if the other request
    /// still needs this request.
    case dependent((ResponseInfo) -> Void, isWanted: () -> Bool)

    /// Calls the callback if this hook is for this kind of completion.
    @MainActor
    func complete(_ request: any Request, with info: ResponseInfo) {
        switch self {
        case .completion(let callback): callback(info)
        case .success(let callback): if case .success(let entity) = info.response { callback(entity) }
        case .newData(let callback): if info.isNew, case .success(let entity) = info.response { callback(entity) }
        case .notModified(let callback): if !info.isNew, case .success = info.response { callback() }
        case .failure(let callback): if case .failure(let error) = info.response { callback(error) }
        case .none, .progress: break
        case .owner(let follower, _): follower.ownRequestCompleted(request)
        case .load(let follower, let number, _): follower.load(number, request, completedWith: info)
        case .waiter(let waiter): waiter.end(with: info)
        case .dependent(let callback, _): callback(info)
        }
    }

    /// Calls the callback if this hook is for progress.
    @MainActor
    func report(progress: Double) {
        switch self {
        case .progress(let callback): callback(progress)
        case .load(let follower, let number, _): follower.load(number, progressedTo: progress)
        default: break
        }
    }

    var isAboutProgress: Bool {
        switch self {
        case .progress, .load: true
        default: false
        }
    }

    /// True if the owner of this hook needs the outcome. A hook for progress does not: it accompanies the code that waits.
    @MainActor
    var isWanted: Bool {
        switch self {
        case .completion, .success, .newData, .notModified, .failure: true
        case .none, .progress, .owner: false
        case .load(let follower, _, _): follower.isObserved
        case .waiter(let waiter): waiter.isWaiting
        case .dependent(_, let isWanted): isWanted()
        }
    }

    var isWaiter: Bool {
        if case .waiter = self { true } else { false }
    }
}

/// An object inside the library that receives the results of requests. It replaces hooks, and needs no closures.
///
/// Its methods are called in the same order and under the same rules as hooks.
@MainActor
protocol RequestFollower: AnyObject {
    /// True if an observer needs the results of its loads.
    var isObserved: Bool { get }

    /// Called when a request that the follower has made completes.
    func ownRequestCompleted(_ request: any Request)

    /// Called when a load makes progress.
    func load(_ number: Int32, progressedTo progress: Double)

    /// Called when a load completes.
    func load(_ number: Int32, _ request: any Request, completedWith info: ResponseInfo)
}
