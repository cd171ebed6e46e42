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
            var language: String? = nil {
                didSet { api.invalidateConfiguration() }
            }
            api.configure("**") {
                if let language { $0.headers["Accept-Language"] = language }
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
            language = "fr"
            _ = try await news.load().value
            #expect(server.requests.map { $0.header("Accept-Language") } == ["en", "fr"])
            #expect(news.configuration.expirationTime == 10)
            #expect(news.configuration(for: .post).expirationTime != 10)
            #expect(stage.printed.isEmpty)
            api.resource("/missing").load()
            try await stage.hasPrinted("Resource(…/missing)")
        }
    }
}
