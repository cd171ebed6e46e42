import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaTesting
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if os(Linux)
import CurlTransport
#endif

extension PipelineStageKey {
    static let decryption = PipelineStageKey(description: "decryption")
}

extension Samples {
    /// The doc comments of services, their configuration and their pipelines.
    @MainActor
    struct DocCommentsOfServices {
        typealias User = DetachedUser

        let server = stage.newServer()
        let service = Service(baseURL: "https://api.example.com")

        init() {
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada"}"#))
        }

        final class MyAPI: Service {
            init() {
                super.init(baseURL: "https://api.example.com")
                configure("/users/*") { $0.expirationTime = 300 }
            }
            var profile: Resource { resource("/profile") }
        }

        @Test func `A subclass describes an API`() async throws {
            server.answer("GET /profile", .json(#"{"name": "Ada"}"#))
            let api = MyAPI()
            #expect(try await api.profile.get().jsonDict["name"] as? String == "Ada")
            #expect(api.resource("/users/42").configuration.expirationTime == 300)
        }

        @Test func `A template leads to a resource`() async throws {
            server.answer("GET /repos/apple/swift?page=2", .json("{}"))
            let page = 2
            let second =
                service.resource(
                    template: "/repos/{owner}/{repo}{?page}", ["owner": "apple", "repo": "swift", "page": page])
            _ = try await second.load().value
            #expect(server.received == ["GET /repos/apple/swift?page=2"])
        }

        @Test func `A service decodes`() async throws {
            service.decode("/users/*", as: User.self)
            let user = try await service.resource("/users/42", as: User.self).get()
            #expect(user.name == "Ada")
        }

        nonisolated struct Team: Codable, Sendable {
            var name: String
        }

        @Test func `A type that is not isolated is decoded off the main actor`() async throws {
            server.answer("GET /teams/7", .json(#"{"name": "A-Team"}"#))
            service.decode("/teams/*", as: Team.self)
            #expect(try await service.resource("/teams/7", as: Team.self).get().name == "A-Team")
        }

        @Test func `A service decodes with headers`() async throws {
            struct Page: Sendable {
                let users: [User]
                let next: String?
            }
            server.answer("GET /users", .json("[]", headers: ["Link: </users?page=2>"]))
            service.decode("/users", as: [User].self) { Page(users: $0.content, next: $0.header(forKey: "Link")) }
            let page = try await service.resource("/users", as: Page.self).get()
            #expect(page.users.isEmpty)
            #expect(page.next == "</users?page=2>")
        }

        @Test func `A transformer replaces the standard transformer of JSON`() async throws {
            let service = Service(baseURL: "https://api.example.com", standardTransformers: [.text, .image])
            service.configureTransformer("/users/*") { try JSONDecoder().decode(User.self, from: $0.content) }
            let user: User = try await service.resource("/users/42").load().value.content()
            #expect(user.name == "Ada")
        }

        @Test func `With the standard transformer of JSON, a transformer of bytes fails`() async throws {
            service.configureTransformer("/users/*") { try JSONDecoder().decode(User.self, from: $0.content) }
            let error = await #expect(throws: RequestError.self) {
                _ = try await service.resource("/users/42").load().value
            }
            #expect(error?.cause is RequestError.Cause.WrongInputTypeInTranformerPipeline)
        }

        @Test func `A transformer has a type for its input`() async throws {
            func transformer() -> ResponseContentTransformer<[String: Any], String> {
                ResponseContentTransformer { (entity: Entity<[String: Any]>) in entity.content["name"] as? String }
            }
            service.configure("/users/*") { $0.pipeline[.model].add(transformer()) }
            let name: String = try await service.resource("/users/42").load().value.content()
            #expect(name == "Ada")
        }

        @Test func `A stage of the app runs if the order contains its key`() async throws {
            server.answer("GET /secret", .text("terces"))
            let service = service
            service.configure {
                $0.pipeline.order = [.rawData, .decryption, .decoding, .parsing, .model, .cleanup]
                $0.pipeline[.decryption].add(
                    ResponseContentTransformer { (entity: Entity<Data>) in Data(entity.content.reversed()) })
            }
            #expect(try await service.resource("/secret").load().value.content() == "secret")
        }

        /// An HTTP client of an app.
        nonisolated struct Client: Sendable {
            func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
                let (body, response) = try await URLSession.shared.data(for: request)
                guard let head = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
                return (body, head)
            }
        }

        @Test func `A provider calls an async function`() async throws {
            let client = Client()
            let service = Service(
                baseURL: "https://api.example.com",
                networking: AsyncNetworkingProvider { request in try await client.send(request) })
            #expect(try await service.resource("/users/42").load().value.jsonDict["name"] as? String == "Ada")
        }

        #if os(Linux)
        @Test func `A provider on libcurl has options`() async throws {
            var options = TransportOptions()
            options.caFile = "/etc/ssl/our-own.pem"
            let service = Service(baseURL: "https://api.example.com", networking: CurlProvider(options: options))
            #expect(try await service.resource("/users/42").load().value.jsonDict["name"] as? String == "Ada")
        }
        #endif

        @Test func `A service has the clock that was current at its creation`() async throws {
            let testClock = TestClock()
            let clock = testClock.clock
            let service = SiestaClock.$current.withValue(clock) { Service(baseURL: "https://api.example.com") }
            let user = service.resource("/users/42")
            _ = try await user.load().value
            #expect(user.timestamp == testClock.wallTime)
        }

        @Test func `Unused resources are dropped when memory is low`() async throws {
            func watch() throws -> MemoryPressure {
                let pressure = try MemoryPressure.system()
                service.flushUnusedResources(under: pressure)
                return pressure
            }
            struct Weak {
                weak var resource: Resource?
            }
            let unused = Weak(resource: service.resource("/users/42"))
            do {
                let pressure = try watch()
                #expect(unused.resource != nil)
                pressure.report()
                await mainQueueTurn()
                #expect(unused.resource == nil)
            } catch {
                // The kernel does not offer this information to this process.
                #expect(error.localizedDescription.hasPrefix("Memory pressure cannot be watched"))
            }
        }
    }
}
