import Foundation
import LoopbackServer
import SiestaCore
import SiestaTesting
import TestKit
import Testing

/// The servers whose caches `Clear-Site-Data` clears, with each provider of the library.
@MainActor @Suite(.timeLimit(.test))
struct ClearingServersTests {
    /// The server to which the service belongs, and another one. `/data` of both is fresh for a minute. All other responses
    /// have the fields of the query item `field`, and are redirects if there is a query item `to`.
    private let (own, other): (LoopbackServer, LoopbackServer)

    init() throws {
        (own, other) = (try Self.server(), try Self.server())
    }

    private static func server() throws -> LoopbackServer {
        try LoopbackServer { exchange in
            let target = exchange.request.target
            guard target != "/data" else {
                return try exchange.respond(
                    headers: ["Cache-Control: max-age=60", "Content-Type: text/plain"], text: "data")
            }
            let items = URLComponents(string: target)?.queryItems ?? []
            let location = items.first { $0.name == "to" }?.value
            let clears = items.contains { $0.name == "clears" }
            try exchange.respond(
                location == nil ? 200 : 302,
                headers: (clears ? [#"Clear-Site-Data: "cache""#] : []) + (location.map { ["Location: \($0)"] } ?? []),
                text: "")
        }
    }

    /// Returns a service with the data of both servers.
    private func service(_ kind: String) async -> Service {
        let service = ServiceCookiesTests.service(own, kind)
        service.configure { $0.freshness = .http }
        for resource in [own, other].map({ service.resource(absoluteURL: $0.url("/data")) }) {
            await resource.load().completion()
            #expect(resource.isUpToDate)
        }
        return service
    }

    /// Returns whether the data of both servers is still fresh.
    private func isFresh(_ service: Service) -> [Bool] {
        [own, other].map { service.resource(absoluteURL: $0.url("/data")).isUpToDate }
    }

    private func url(_ server: LoopbackServer, clears: Bool, to target: URL? = nil) -> URL {
        var items = clears ? [URLQueryItem(name: "clears", value: "1")] : []
        if let target { items.append(URLQueryItem(name: "to", value: target.absoluteString)) }
        var url = server.url("/other")
        url.append(queryItems: items)
        return url
    }

    @Test(arguments: ServiceCookiesTests.kinds, [RequestMethod.get, .post])
    func `A response clears the caches of the server that has sent it, also after redirects`(
        _ kind: String, _ method: RequestMethod
    ) async throws {
        var service = await service(kind)
        let foreign = url(own, clears: false, to: url(other, clears: true))
        _ = await service.resource(absoluteURL: foreign).request(method).completion()
        #expect(isFresh(service) == [true, false])

        service = await self.service(kind)
        let there = url(own, clears: false, to: url(other, clears: false, to: url(own, clears: true)))
        _ = await service.resource(absoluteURL: there).request(method).completion()
        #expect(isFresh(service) == [false, true])

        service = await self.service(kind)
        _ = await service.resource(absoluteURL: url(own, clears: true)).request(method).completion()
        #expect(isFresh(service) == [false, true])
    }

    @Test(arguments: ServiceCookiesTests.kinds)
    func `A redirect clears the caches of the server that has sent it`(_ kind: String) async throws {
        let service = await service(kind)
        let redirect = url(own, clears: true, to: url(other, clears: false))
        _ = await service.resource(absoluteURL: redirect).request(.get).completion()
        #expect(isFresh(service) == [false, true])
    }
}
