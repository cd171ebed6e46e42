import Foundation
import HTTPRules

/// The chains and decorators that led to a request. The library uses it to detect endless chains and decorators.
///
/// The size of a lineage is limited.
struct RequestLineage {
    /// The URL and the method of a request. Decorated requests are compared by this key.
    struct Key: Hashable, CustomStringConvertible {
        let address: String
        let method: String

        /// The method and the path. The host, the user and the query are not shown in errors.
        var description: String {
            let afterScheme = address.schemeSeparator.map { address[$0.upperBound...] } ?? address[...]
            let path = afterScheme.drop { !"/?#".contains($0) }.prefix { !"?#".contains($0) }
            return "\(method) \(path.isEmpty ? "/" : path)"
        }
    }

    /// The maximum number of chains that led to a chain, each made by the closure of the previous chain.
    static let chainLimit: Int32 = 10_000
    /// The maximum number of requests with the same key that led to a request. Each must be made by the decorators of
    /// the previous request, directly or through other requests.
    static let repetitionLimit = 20
    /// The time, in seconds, for which a request counts as a repetition if it leads to no failure. An app that asks a server
    /// again and again until a job is done leaves time between its requests.
    private static let repetitionPeriod: TimeInterval = 10
    /// The maximum number of decorators that run inside one another.
    private static let nestingLimit = 100
    /// The number of decorated requests that a lineage remembers.
    private static let rememberedLimit = 100

    /// A decorated request, and the monotonic time at which it was made, in seconds.
    private struct Decorated {
        let key: Key
        let time: TimeInterval
        /// True if a request to which it has led has failed. It always counts.
        var hasFailed = false
    }

    private var chainCount: Int32 = 0
    private var decorated: [Decorated] = []

    /// The lineage of the requests that the running code makes.
    @MainActor private(set) static var current = RequestLineage()
    @MainActor private static var nesting = 0
    /// True while decorators run.
    @MainActor static var isDecorating: Bool { nesting > 0 }

    /// The lineage of the requests that a chain's closure makes.
    var chained: RequestLineage {
        var next = self
        next.chainCount += 1
        return next
    }

    /// Returns the lineage of the requests that a chain's closure makes after a response. After a success, requests that were
    /// made long ago do not count as repetitions any more. Those that have led to a failure do, so that what a server refuses
    /// is not repeated for hours, also if the sign-ins in between succeed.
    func after(_ response: Response, at time: TimeInterval) -> RequestLineage {
        var next = self
        if case .success = response {
            next.decorated.removeAll { !$0.hasFailed && time - $0.time >= Self.repetitionPeriod }
        } else {
            for index in next.decorated.indices { next.decorated[index].hasFailed = true }
        }
        return next
    }

    /// True if there are too many chains.
    var isEndless: Bool { chainCount > Self.chainLimit }

    /// Returns the lineage of the requests that a request's decorators make, and that the closures of their chains
    /// make. Returns nil if the number of requests with `key`, or of decorators inside one another, has reached its
    /// maximum.
    ///
    /// - Parameter time: the monotonic time, in seconds.
    @MainActor func decorated(_ key: Key, at time: TimeInterval) -> RequestLineage? {
        guard Self.nesting < Self.nestingLimit, decorated.count(where: { $0.key == key }) < Self.repetitionLimit else {
            return nil
        }
        var next = self
        if next.decorated.count == Self.rememberedLimit { next.decorated.removeFirst() }
        next.decorated.append(Decorated(key: key, time: time))
        return next
    }

    /// Runs the closure of a chain with this lineage as the current lineage.
    @MainActor func whileCurrent<Result>(_ body: () -> Result) -> Result {
        let previous = Self.current
        Self.current = self
        defer { Self.current = previous }
        return body()
    }

    /// Runs decorators with this lineage as the current lineage.
    @MainActor func whileDecorating<Result>(_ body: () -> Result) -> Result {
        Self.nesting += 1
        defer { Self.nesting -= 1 }
        return whileCurrent(body)
    }

    // MARK: Errors

    /// Returns the error of a request that would exceed a limit of this lineage.
    func error(next name: String) -> RequestError {
        Self.error(decorated.map(\.key.description) + [name])
    }

    /// Returns the error for a request that would wait for `next`, if `next` waits for this request. Returns nil
    /// otherwise.
    @MainActor static func errorIfCircular(
        _ handler: any RequestCompletionHandler, _ next: any Request
    ) -> RequestError? {
        guard let request = handler.live, let queue = next.live?.queue(to: request) else {
            return nil
        }
        return error([request.name] + queue.map(\.name))
    }

    private static func error(_ names: [String]) -> RequestError {
        let shown = names.count > 10 ? names.prefix(8) + ["…"] + names.suffix(1) : names[...]
        let reason = "each of these requests waits for the next one: " + shown.joined(separator: " → ")
        return RequestError(.init(.endlessChain, reason: reason))
    }
}
