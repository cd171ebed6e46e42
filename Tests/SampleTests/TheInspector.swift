import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaInspector
import Testing

extension Samples {
    /// The article "The inspector".
    @MainActor
    struct TheInspector {
        let server = stage.newServer()

        // In a build for release, these inspectors do not start.
        #if DEBUG
        @Test func `Open the page`() async throws {
            let service = Service(baseURL: "https://api.example.com")
            let inspector = Inspector(service)
            let url = try await inspector.start()
            print("Inspector: \(url)")
            #expect(stage.printed == ["Inspector: \(url)"])
            #expect(url.host == "127.0.0.1")
            inspector.stop()
        }

        @Test func `Change what the app sees`() async throws {
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            let service = Service(baseURL: "https://api.example.com", networking: InspectorNetwork())
            let inspector = Inspector(service, permissions: .full)
            try await inspector.start()
            _ = try await service.resource("/users/42").load().value
            inspector.stop()
            #expect(service.resource("/users/42").jsonDict["name"] as? String == "Ada")
        }
        #endif

        @Test func `In a terminal`() async throws {
            server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            let service = Service(baseURL: "https://api.example.com")
            _ = try await service.resource("/users/42").load().value
            print(service.inspectorText)
            #expect(stage.printed.count == 1)
            #expect(stage.printed.first?.hasPrefix("Service ") == true)
            #expect(stage.printed.first?.contains("1 resource, 0 loading, 0 with an error\nfresh  ") == true)
        }
    }
}
