import Foundation
import LoopbackServer
import SampleServer
import Siesta
import Testing
import Waiting

// The declarations of the article, which the samples of the other articles use, too.

struct User: Codable, Sendable {
    var id: Int
    var name: String
}

final class MyAPI: Service {
    init(networking: any NetworkingProviderConvertible = DefaultNetworking()) {
        super.init(baseURL: "https://api.example.com/v1", networking: networking)
        configure { $0.headers["Accept-Language"] = "en" }
        configure("/users/*") { $0.expirationTime = 300 }
        decode("/users/*", as: User.self)
    }

    func user(_ id: Int) -> TypedResource<User> { resource("/users/\(id)", as: User.self) }
}

extension Samples {
    /// The article "Getting started", and the page of the module.
    @MainActor
    struct GettingStarted {
        let server = stage.newServer()
        let temporary = SampleFolder()

        @Test func `One request serves the function fresh and the loop`() async throws {
            server.answer("GET /v1/users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            let api = MyAPI()
            let ada = api.user(42)

            let user = try await ada.get()  // Sends a request only if the data is not fresh.
            print(user.name)

            for await state in ada.states {
                print(state.content?.name ?? "nobody", state.isLoading, state.error?.userMessage ?? "")
                if state.content?.name == "Grace" { break }  // sample.hidden
                ada.content?.name = "Grace"  // sample.hidden
            }
            #expect(stage.printed == ["Ada", "Ada false ", "Grace false "])
            #expect(server.received == ["GET /v1/users/42"])
            #expect(server.requests.first?.header("Accept-Language") == "en")
            #expect(ada.resource.configuration(for: .get).expirationTime == 300)
        }

        @Test func `A user signs in`() async throws {
            struct LogIn: Decodable, Sendable {
                let token: String
            }
            server.answer("POST /v1/log-in", .json(#"{"token": "t1"}"#))
            server.answer("GET /v1/users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            let (api, name, password) = (MyAPI(), "ada", "p")
            let file = temporary.url.appendingPathComponent("credential")
            let session = api.authenticate(with: .bearer(credentials: .file(at: file)))
            let accounts = Service(baseURL: "https://api.example.com/v1")  // It has no session.
            let logIn = accounts.resource("/log-in").request(.post, body: .json(["name": name, "password": password]))
            let token = try await logIn.value.decoded(as: LogIn.self).token
            try await api.signIn(name, with: Credential(token))

            for await state in session.states {
                switch state {
                case .signedIn(let name): show("Hello, \(name)")
                case .refreshing: break
                case .expired, .signedOut: show("Please sign in.")
                }
                break  // sample.hidden
            }
            try await stage.hasPrinted("Hello, ada")
            _ = try await api.user(42).get()
            #expect(server.requests.last?.header("Authorization") == "Bearer t1")
            await api.signOut()
            #expect(session.state == .signedOut)
        }
    }
}
