import Foundation

/// The state of one resource, for tools. Reading it changes nothing: it starts no read of a cache, runs no configuration
/// closure, and does not mark the resource as used.
package struct ResourceSummary: Sendable {
    /// The key by which the service knows the resource, with secrets.
    package let address: String
    package let snapshot: Resource.Snapshot
    /// The number of observers, including those whose owners are gone.
    package let observerCount: Int
    /// The number of running requests, including loads.
    package let requestCount: Int
    /// True if the data was invalidated, and neither replaced nor confirmed since then.
    package let isInvalidated: Bool
    /// Whether the server pushes the changes of the data; nil if no feature asks for them.
    package let pushStatus: PushStatus?

    @MainActor
    init(_ resource: Resource) {
        (address, snapshot) = (resource.address, resource.snapshot)
        observerCount = resource.observerList?.count ?? 0
        requestCount = resource.running.own.count
        isInvalidated = resource.state.isInvalidated
        pushStatus = resource.pushStatus
    }

    /// The size of the content in bytes, as far as it is known: the `Content-Length` of its response, or the size of
    /// content that is data or text.
    package var size: Int? {
        guard let data = snapshot.data else { return nil }
        if let length = data.header(forKey: "content-length").flatMap({ Int($0) }), length >= 0 { return length }
        return (data.content as? Data)?.count ?? (data.content as? String)?.utf8.count
    }
}
