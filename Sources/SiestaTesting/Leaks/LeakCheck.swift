import Foundation
public import SiestaCore

/// A list of the observers and resources of a service that remain after the code that used them has ended.
///
///     let leaks = await LeakCheck.run(service) {
///         let screen = ProfileScreen(service.resource("/users/42"))
///         screen.appear()
///     }
///     #expect(leaks.isEmpty, "\(leaks)")
///
/// An observer that outlives its screen keeps its resource in memory, and receives events that have no visible effect.
/// The owner of such an observer is usually part of a reference cycle.
public struct LeakCheck: Sendable, CustomStringConvertible {
    /// An object that still exists.
    package struct Object: Hashable, Sendable, CustomStringConvertible {
        /// The name of the type.
        package let type: String
        /// The address in memory.
        package let address: UInt

        /// The type and the address, for example `ProfileScreen (0x600001234560)`.
        package var description: String {
            let digits = String(address, radix: 16)
            return "\(type) (0x\(digits))"
        }
    }

    /// An observer that still observes a resource.
    package struct Observer: Hashable, Sendable, CustomStringConvertible {
        /// The absolute URL of the resource. The URL may contain secrets, and ``description`` omits them.
        package let url: String
        /// The name of the observer's type. For a closure, the file and the line at which it was added.
        package let type: String
        /// The observer, if it is an object; nil for a value or a closure.
        package let object: Object?
        /// The objects that own the observer, except the observer itself.
        package let owners: [Object]

        /// The observer, its resource and its owners.
        package var description: String {
            let name = object?.description ?? type
            let owners = owners.isEmpty ? "" : ", owned by \(owners.map(\.description).joined(separator: ", "))"
            return PreparedText.line("\(name) observes \(PreparedText.url(url))\(owners)")
        }
    }

    /// The observers that were added and still exist, each as a string with its resource and its owners, such as
    /// `ProfileScreen (0x600001234560) observes https://api.example.com/me`. The strings contain no secrets.
    public var observers: [String] { leakedObservers.map(\.description) }

    package let leakedObservers: [Observer]

    /// The absolute URLs of resources that were created and are still in use, although they have no observer. Either
    /// the app references them, or their requests have not ended.
    public let resources: [String]

    /// The unfinished requests and cache operations of the service, as strings. This work may be the cause of a leak.
    public let unfinishedWork: [String]

    /// True if no observer and no resource has leaked.
    public var isEmpty: Bool { leakedObservers.isEmpty && resources.isEmpty }

    /// The leaks, one on each line, and hints about their causes. If there are no leaks, the text is `no leaks`.
    public var description: String {
        guard !isEmpty else { return "no leaks" }
        let resources = resources.map { PreparedText.line("\(PreparedText.url($0)) is still in use") }
        let advice = "Look for reference cycles of the owners, and for a missing call of removeObservers(ownedBy:)."
        return (observers + resources + unfinishedWork + [advice]).joined(separator: "\n")
    }

    /// Runs `body`, and returns the observers and resources that remain afterwards.
    ///
    /// Observers and resources that existed before the call are ignored. After `body` has returned, the check waits
    /// until the service has settled, for at most a second. The check then drops the unused resources of the service
    /// from memory, as `Service.flushUnusedResources()` does.
    ///
    /// - Parameters:
    ///   - service: The service whose observers and resources are checked.
    ///   - body: A closure that uses the service. When it returns, all objects that it has created should be released.
    @MainActor
    public static func run(_ service: Service, _ body: () async throws -> Void) async rethrows -> LeakCheck {
        var before = observers(of: service).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        let known = Set(service.knownResources.map(\.url))
        try await body()
        try? await service.settled(timeLimit: .seconds(1))
        for _ in 0..<4 { await mainQueueTurn() }
        service.flushUnusedResources()
        // Closures that were added by one line of code for one owner are equal. Therefore they are counted.
        let left = observers(of: service).filter { observer in
            let count = before[observer] ?? 0
            before[observer] = count - 1
            return count <= 0
        }
        let observed = Set(left.map(\.url))
        let resources = service.knownResources.filter { !known.contains($0.url) }.map(\.url.absoluteString)
        return LeakCheck(
            leakedObservers: left, resources: resources.filter { !observed.contains($0) },
            unfinishedWork: service.unfinishedWork(includingTimers: true))
    }

    @MainActor
    private static func observers(of service: Service) -> [Observer] {
        service.knownResources.flatMap { resource in
            resource.observerInfos.map { info in
                Observer(
                    url: resource.url.absoluteString, type: info.type, object: info.object.map { Object($0) },
                    owners: info.owners.map { Object($0) })
            }
        }
    }
}

extension LeakCheck.Object {
    fileprivate init(_ object: ObserverInfo.Object) {
        (type, address) = (object.type, object.address)
    }
}
