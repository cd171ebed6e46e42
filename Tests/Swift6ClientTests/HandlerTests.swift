import Foundation
import Siesta
import SiestaTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The handlers of a server in Swift 6 language mode. They run on any thread.
private struct Handlers: Sendable {
    let api: Service

    func show(_ id: Int) async throws(RequestError) -> Picture {
        try await api.resource("/pictures/\(id)").load().value.decoded()
    }

    func add(_ picture: Picture) async throws(RequestError) -> (status: Int?, location: String?) {
        let response = try await api.resource("/pictures").request(.post, body: .encoded(picture)) {
            $0.setValue("1", forHTTPHeaderField: "X-Handler")
        }.value
        return (response.status, response.header(forKey: "Location"))
    }

    func rename(_ id: Int, to name: String) async throws(RequestError) -> Picture {
        let picture = await api.resource("/pictures/\(id)", as: Picture.self)
        return try await picture.load(using: picture.request(.patch, body: .json(["name": name]))).value.content()
    }

    func remove(_ ids: [Int]) async throws {
        try await withThrowingTaskGroup { group in
            for id in ids {
                group.addTask {
                    try await api.resource("/pictures", as: [Picture].self).child("\(id)", as: Picture.self)
                        .request(.delete).value.content(as: Void.self)
                }
            }
            try await group.waitForAll()
        }
    }
}

/// A service that the handlers of a server use off the main actor.
@MainActor @Suite(.timeLimit(.minutes(30)))
struct HandlerTests {
    private let network = StubNetwork()
    private let handlers: Handlers

    init() {
        let api = Service(baseURL: "https://gallery.test", networking: network)
        api.decode("/pictures/*", as: Picture.self)
        handlers = Handlers(api: api)
    }

    @Test func `Handlers load, create, change and remove`() async throws {
        let handlers = handlers
        let dawn = Picture(id: 1, name: "Dawn")
        network.answer(.get, "/pictures/1", with: .json(#"{"id": 1, "name": "Dawn"}"#))
        network.answer(.post, "/pictures", with: .response(201, headers: ["Location": "/pictures/2"]))
        network.answer(.patch, "/pictures/1", with: .json(#"{"id": 1, "name": "Dusk"}"#))
        network.answer(.delete, "/pictures/1", with: .response(204))
        network.answer(.delete, "/pictures/2", with: .json(#"{"removed": true}"#))
        try await Task.detached {
            #expect(try await handlers.show(1) == dawn)
            let (status, location) = try await handlers.add(dawn)
            #expect(status == 201)
            #expect(location == "/pictures/2")
            #expect(try await handlers.rename(1, to: "Dusk").name == "Dusk")
            try await handlers.remove([1, 2])
        }.value
        #expect(handlers.api.resource("/pictures/1", as: Picture.self).content?.name == "Dusk")
        #expect(network.requests.count == 5)
    }
}
