import Foundation
import LoopbackServer
import SiestaCore
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The `Accept` header that the pipeline implies.
@MainActor @Suite(.timeLimit(.test))
struct ContentNegotiationTests {
    private struct Thing: Decodable, Sendable {}

    private let server: LoopbackServer
    private let service: Service

    init() throws {
        server = try LoopbackServer { try $0.respond(headers: ["Content-Type: a/b"], text: "{}") }
        service = Service(baseURL: server.url())
        service.configure { $0.negotiatesContent = true }
        service.decode("/thing", as: Thing.self)
    }

    private var resource: Resource { service.resource("/") }

    /// The `Accept` of the last request.
    private var accept: String? { server.requests.last?.header("Accept") }

    /// Loads a resource. The result does not matter.
    private func load(_ resource: Resource) async { _ = try? await resource.load().value }

    /// Returns the `Accept` without the option.
    private func plainAccept() async throws -> String? {
        await load(Service(baseURL: server.url()).resource("/"))
        return accept
    }

    @Test func `Without the option nothing changes`() async throws {
        #expect(try await plainAccept()?.contains("json") != true)
        #expect(!Configuration().negotiatesContent)
    }

    @Test func `The types of the standard transformers are listed with qualities`() async throws {
        await load(resource)
        #expect(accept == "application/json, text/*;q=0.5, image/*;q=0.5, */*;q=0.1")
        #expect(resource.configuration.headers["Accept"] == accept)
        let texts = Service(baseURL: server.url(), standardTransformers: [.text])
        texts.configure { $0.negotiatesContent = true }
        await load(texts.resource("/"))
        #expect(accept == "text/*;q=0.5, */*;q=0.1")
    }

    @Test func `A rule that decodes lists its own type, and not those of errors`() async throws {
        await load(service.resource("/thing"))
        #expect(accept == "application/json, */*;q=0.1")
    }

    @Test func `Transformers of the app are listed once, and patterns that are no ranges are left out`() async throws {
        let types = [
            "text/CSV", "application/*", "*/*+zip", "a*/b", "*/cbor", "application/vnd.*", "*/*", "x\r\ny/z", "none",
            "text/csv",
        ]
        service.configure {
            $0.pipeline[.model].add(
                ResponseContentTransformer { (entity: Entity<Data>) in entity.content }, contentTypes: types)
        }
        await load(resource)
        let expected =
            "application/json, text/csv, application/cbor, text/*;q=0.5, image/*;q=0.5, application/*;q=0.5, */*;q=0.1"
        #expect(accept == expected)
    }

    @Test func `An Accept of the app counts`() async throws {
        _ = try? await resource.request(.get) { $0.setValue("e/f", forHTTPHeaderField: "Accept") }.value
        #expect(accept == "e/f")
        service.configure { $0.mutateRequests { $0.setValue("c/d", forHTTPHeaderField: "Accept") } }
        await load(resource)
        #expect(accept == "c/d")
        let other = Service(baseURL: server.url())
        other.configure {
            $0.negotiatesContent = true
            $0.headers["accept"] = "a/b"
        }
        await load(other.resource("/"))
        #expect(accept == "a/b")
    }

    @Test func `Responses in pieces and downloads have no negotiated Accept`() async throws {
        let none = try await plainAccept()
        for try await _ in resource.bytes {}
        #expect(accept == none)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try? await resource.download(to: file).value
        #expect(accept == none)
        let set: @MainActor @Sendable (inout URLRequest) -> Void = { $0.setValue("a/b", forHTTPHeaderField: "Accept") }
        for try await _ in resource.bytes(.get, requestMutation: set) {}
        #expect(accept == "a/b")
        #expect(server.requests.count == 4)
    }

    @Test func `An Accept of the app stays on responses in pieces`() async throws {
        service.configure { $0.mutateRequests { $0.setValue("c/d", forHTTPHeaderField: "Accept") } }
        for try await _ in resource.bytes {}
        #expect(accept == "c/d")
        let other = Service(baseURL: server.url())
        other.configure {
            $0.negotiatesContent = true
            $0.headers["accept"] = "a/b"
        }
        for try await _ in other.resource("/").bytes {}
        #expect(accept == "a/b")
    }

    @Test func `Each resource and each method lists what its own pipeline reads`() async throws {
        let none = try await plainAccept()
        service.configure("/csv") {
            $0.pipeline.removeAllTransformers()
            $0.pipeline[.parsing].add(
                ResponseContentTransformer { (entity: Entity<Data>) in entity.content }, contentTypes: ["text/csv"])
        }
        service.configure("/raw") { $0.pipeline.removeAllTransformers() }
        await load(service.resource("/csv"))
        #expect(accept == "text/csv, */*;q=0.1")
        await load(service.resource("/raw"))
        #expect(accept == none)
        // The rule for `/thing` concerns GET only.
        _ = try? await service.resource("/thing").request(.post).value
        #expect(accept == "application/json, text/*;q=0.5, image/*;q=0.5, */*;q=0.1")
        service.configure("/thing") { $0.pipeline[.model].removeTransformers() }
        await load(service.resource("/thing"))
        #expect(accept == none)
    }
}
