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

extension Samples {
    /// The article "Command-line tools and servers".
    @MainActor
    struct CommandLineTools {
        let server = stage.newServer()
        let api = Service(baseURL: "https://api.example.com")
        var ada: TypedResource<User> { api.resource("/users/42", as: User.self) }

        init() {
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            api.decode("/users/*", as: User.self)
        }

        static func runTool() async {
            let api = Service(baseURL: "https://api.example.com")
            api.decode("/users/*", as: User.self)
            let ada = api.resource("/users/42", as: User.self)

            do throws(RequestError) {
                print(try await ada.get().name)
            } catch {
                FileHandle.standardError.write(Data("\(error.userMessage)\n".utf8))
                exit(1)
            }
        }

        @Test func `A tool prints a result`() async {
            await Self.runTool()
            #expect(stage.printed == ["Ada"])
        }

        #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
        @Test func `After a failure, a tool exits with a message`() async {
            let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
                stage.newServer().answer("GET /users/42", .status(503))
                await CommandLineTools.runTool()
            }
            let message = UserMessages.current.statusPhrase(503)
            let printed = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(printed.contains("\(message)\n"))
        }
        #endif

        @Test func `Two calls share a request`() async throws {
            let ada = ada
            async let first = ada.get()
            async let second = ada.get()
            let users = try await [first, second]  // Both calls wait for one request.
            #expect(users.map(\.name) == ["Ada", "Ada"])
            #expect(server.received.count == 1)
        }

        /// Returns the user. If the first attempt fails, asks the server once more.
        @MainActor
        func userAfterTwoAttempts() async throws(RequestError) -> User {
            if let user = try? await ada.get() { return user }
            ada.invalidate()
            return try await ada.get()
        }

        @Test func `A failed attempt is repeated`() async throws {
            server.answer("GET /users/42", .status(503), .json(#"{"id": 42, "name": "Ada"}"#))
            #expect(try await userAfterTwoAttempts().name == "Ada")
            #expect(server.received.count == 2)
        }

        @Test func `A request has a time limit`() async throws {
            let network = StubNetwork()
            network.answer(.get, "/users/42", with: .text("Ada"))
            let api = Service(baseURL: "https://api.test", networking: network)
            api.configure {
                $0.mutateRequests { $0.timeoutInterval = 10 }
            }
            _ = try await api.resource("/users/42").load().value
            #expect(network.requests.first?.timeoutInterval == 10)
        }

        final class TeamAPI: Service {
            var team: String? {
                didSet { invalidateConfiguration() }
            }

            init() {
                super.init(baseURL: "https://api.example.com")
                authenticate(with: .bearer())
                configure { [weak self] in
                    if let team = self?.team { $0.headers["X-Team"] = team }
                }
            }
        }

        @MainActor
        final class Backends {
            private var services: [String: TeamAPI] = [:]

            func service(for user: String, token: String) async throws -> TeamAPI {
                let service = services[user] ?? TeamAPI()
                services[user] = service
                try await service.signIn(user, with: Credential(token))  // The same user keeps their data.
                return service
            }

            func end(for user: String) async {
                await services.removeValue(forKey: user)?.signOut()
            }
        }

        @Test func `Each user of a server has a service`() async throws {
            let backends = Backends()
            for user in ["ada", "grace"] {
                let service = try await backends.service(for: user, token: user)
                service.team = "t-\(user)"
                _ = try await service.resource("/users/42").load().value
            }
            #expect(server.requests.map { $0.header("Authorization") } == ["Bearer ada", "Bearer grace"])
            #expect(server.requests.map { $0.header("X-Team") } == ["t-ada", "t-grace"])
            struct Weak {
                weak var service: TeamAPI?
            }
            let former = Weak(service: try await backends.service(for: "ada", token: "new"))
            let profile = try await backends.service(for: "ada", token: "new").resource("/users/42")
            #expect(profile.latestData != nil)
            await backends.end(for: "ada")
            #expect(profile.latestData == nil)
            try await Poll.until { former.service == nil }
            #expect(try await backends.service(for: "ada", token: "ada").team == nil)
            #expect(try await backends.service(for: "grace", token: "grace").team == "t-grace")
        }

        @Test func `Unused resources are dropped when memory is low`() throws {
            func watch() throws {
                try api.flushUnusedResources(under: MemoryPressure.system())
            }
            do {
                try watch()
            } catch {
                // The kernel does not offer this information to this process.
                #expect(error.localizedDescription.hasPrefix("Memory pressure cannot be watched"))
            }
        }
    }
}
