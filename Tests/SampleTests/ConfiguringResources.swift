import Foundation
import LoopbackServer
import SampleServer
import Siesta
import Testing
import Waiting

struct LoadingTextKey: ConfigurationKey {
    static let defaultValue = "Loading…"
}

extension Configuration {
    var loadingText: String {
        get { self[LoadingTextKey.self] }
        set { self[LoadingTextKey.self] = newValue }
    }
}

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

        @Test func `An app defines an option of its own`() {
            let api = MyAPI()
            api.configure("/search/**") { $0.loadingText = "Searching…" }
            let text = api.resource("/search/books").configuration.loadingText
            #expect(text == "Searching…")
            #expect(api.resource("/books").configuration.loadingText == "Loading…")
            let rule = api.resource("/search/books").explain().rule(for: "loadingText")
            #expect(rule?.name == "/search/**")
        }
    }
}
