/// Follows requests for the library's own bookkeeping: what hooks are for the app, without closures.
///
/// It is called in its turn among the hooks, and under the same rules.
@MainActor
protocol RequestFollower: AnyObject {
    /// Whether anybody observes what its loads bring.
    var isObserved: Bool { get }

    /// A request that it has made has completed.
    func ownRequestCompleted(_ request: any Request)

    /// A request that is a load has got on.
    func load(_ number: Int, progressedTo progress: Double)

    /// A request that is a load has completed.
    func load(_ number: Int, _ request: any Request, completedWith info: ResponseInfo)
}
