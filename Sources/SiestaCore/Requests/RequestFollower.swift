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
