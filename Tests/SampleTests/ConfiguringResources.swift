import Foundation
import LoopbackServer
import SampleServer
import Siesta
import Testing
import Waiting

extension Samples {
    /// The article "Configuring resources".
    @MainActor
    struct ConfiguringResources {
        let server = stage.newServer()

        @Test func `Rules apply in order, and to the resources that match`() async throws {
            server.answer("GET /v1/news/today", .json("{}"))
            let api = MyAPI()
            var token: String? = nil {
                didSet { api.invalidateConfiguration() }
            }
            api.configure("**") {
                if let token { $0.headers["Authorization"] = "Bearer \(token)" }
            }
            api.configure("/news/**", requestMethods: [.get]) {
                $0.expirationTime = 10
                $0.retryTime = 5
            }
            api.configure("/**") {
                $0.decorateRequests { resource, request in
                    request.onFailure { error in print(resource, error) }
                }
            }
            let news = api.resource("/news/today")
            _ = try await news.load().value
            token = "t0ken"
            _ = try await news.load().value
            #expect(server.requests.map { $0.header("Authorization") } == [nil, "Bearer t0ken"])
            #expect(news.configuration.expirationTime == 10)
            #expect(news.configuration(for: .post).expirationTime != 10)
            #expect(stage.printed.isEmpty)
            api.resource("/missing").load()
            try await stage.hasPrinted("Resource(…/missing)")
        }
    }
}
