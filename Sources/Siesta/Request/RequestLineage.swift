/// The chains and decorators in the course of which a request is made, so that one that would never end is noticed.
///
/// A value of bounded size.
struct RequestLineage {
    /// What tells decorated requests apart.
    struct Key: Hashable, CustomStringConvertible {
        let address: String
        let method: String

        /// The method and the path: a host, a user and a query are not for errors.
        var description: String {
            let afterScheme = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
            let path = afterScheme.drop { !"/?#".contains($0) }.prefix { !"?#".contains($0) }
            return "\(method) \(path.isEmpty ? "/" : path)"
        }
    }

    /// How many chains may each be made by the closure of another.
    static let mostChains: Int32 = 10_000
    /// How many requests with the same key may each be made by the decorators of another, others between them or not.
    static let mostAlike = 20
    /// How many decorators may be called from within each other.
    private static let mostNested = 100
    /// How many decorated requests are remembered.
    private static let memory = 100

    private var chainCount: Int32 = 0
    private var decorated: [Key] = []

    /// The lineage of what the running code makes.
    @MainActor private(set) static var current = RequestLineage()
    @MainActor private static var nesting = 0

    /// The lineage of what a chain's closure makes.
    var chained: RequestLineage {
        var next = self
        next.chainCount += 1
        return next
    }

    /// Whether there are too many chains.
    var isEndless: Bool { chainCount > Self.mostChains }

    /// The lineage of what the decorators of a request make, and the closures of their chains; nil if there would be no
    /// end.
    @MainActor func decorated(_ key: Key) -> RequestLineage? {
        guard Self.nesting < Self.mostNested, decorated.count(where: { $0 == key }) < Self.mostAlike else { return nil }
        var next = self
        if next.decorated.count == Self.memory { next.decorated.removeFirst() }
        next.decorated.append(key)
        return next
    }

    /// Runs the closure of a chain.
    @MainActor func whileCurrent<Result>(_ body: () -> Result) -> Result {
        let previous = Self.current
        Self.current = self
        defer { Self.current = previous }
        return body()
    }

    /// Runs decorators.
    @MainActor func whileDecorating<Result>(_ body: () -> Result) -> Result {
        Self.nesting += 1
        defer { Self.nesting -= 1 }
        return whileCurrent(body)
    }

    // MARK: Errors

    /// The error of a request which would make the lineage endless.
    func error(next name: String) -> RequestError {
        Self.error(decorated.map(\.description) + [name])
    }

    /// The error of a request that is to wait for `next`, if `next` waits for the request.
    @MainActor static func errorIfCircular(
        _ handler: any RequestCompletionHandler, _ next: any Request
    ) -> RequestError? {
        guard let request = handler as? LiveRequest, let queue = (next as? LiveRequest)?.queue(to: request) else {
            return nil
        }
        return error([request.name] + queue.map(\.name))
    }

    private static func error(_ names: [String]) -> RequestError {
        let shown = names.count > 10 ? names.prefix(8) + ["…"] + names.suffix(1) : names[...]
        return RequestError(
            userMessage: UserMessages.current.requestFailed,
            cause: RequestError.Cause.EndlessChain(requests: Array(shown)))
    }
}
