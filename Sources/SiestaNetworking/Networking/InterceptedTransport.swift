/// A type that sees each call before its transport.
@MainActor
package protocol TransportInterceptor: AnyObject, Sendable {
    /// The abilities of the transport that the interceptor prevents.
    var preventedCapabilities: TransportCapabilities { get }

    /// Does the same as ``Transport/start(_:completion:)``, over `transport` or without it.
    func start(
        _ call: TransportCall, over transport: any Transport, completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking
}

extension TransportInterceptor {
    package var preventedCapabilities: TransportCapabilities { [] }
}

/// A transport whose calls a ``TransportInterceptor`` sees first. It keeps the cookies, the header fields and the abilities
/// of the other transport.
@MainActor
package final class InterceptedTransport: nonisolated Transport, nonisolated StreamingNetworkingProvider {
    private let base: any Transport
    private let interceptor: any TransportInterceptor

    package init(_ base: any Transport, by interceptor: any TransportInterceptor) {
        (self.base, self.interceptor) = (base, interceptor)
    }

    package var capabilities: TransportCapabilities {
        base.capabilities.subtracting(interceptor.preventedCapabilities)
    }

    package func start(
        _ call: TransportCall, completion: @escaping @Sendable (NetworkResponse) -> Void
    ) -> any RequestNetworking {
        var call = call
        if interceptor.preventedCapabilities.contains(.extras) { call.extras = nil }
        // The interceptor may delay the call, and the user may change in the meantime.
        call.cookies = call.cookies ?? base.cookieKeeper?.store
        return interceptor.start(call, over: base, completion: completion)
    }

    package var addedFields: AddedFields { base.addedFields }

    package var cookieKeeper: (any CookieKeeping)? { base.cookieKeeper }

    package var mayHaveCookies: Bool { base.mayHaveCookies }

    package func keepingCookies(in storage: CookieStorage, of owner: CookieOwner) -> any Transport {
        InterceptedTransport(base.keepingCookies(in: storage, of: owner), by: interceptor)
    }

    /// The interceptors of a type, from the outermost to the innermost.
    package func interceptors<Interceptor>(of type: Interceptor.Type) -> [Interceptor] {
        let inner = (base as? InterceptedTransport)?.interceptors(of: type) ?? []
        return [interceptor as? Interceptor].compactMap(\.self) + inner
    }
}
