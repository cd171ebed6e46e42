import Foundation
import HTTPRules

extension Service {
    /// All resources in memory, the least recently used first. Takes time proportional to their number.
    package final var inspectedResources: [Resource] { context.resources }

    /// The number of resources in memory.
    package final var inspectedResourceCount: Int { context.registry.count }

    /// Returns the resource with this address if it is in memory. Does not mark it as used.
    package final func inspectedResource(at address: String) -> Resource? {
        address.withUTF8Bytes { context.registry.peek($0) }
    }

    /// The object that sees the requests of the service before its provider; nil if there is none.
    package final var interceptor: (any ExchangeInterceptor)? {
        let transport = context.transport.transport as? InterceptedTransport
        return transport?.interceptors(of: (any ExchangeInterceptor).self).first
    }
}

extension Resource {
    /// The state of the resource.
    package var summary: ResourceSummary { ResourceSummary(self) }
}
