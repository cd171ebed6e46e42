import Foundation
import LoopbackServer
import SampleServer
import Siesta
import Testing
import Waiting

extension PipelineStageKey {
    static let unwrapping = PipelineStageKey(description: "unwrapping")
}

extension Samples {
    /// The article "The pipeline".
    @MainActor
    struct ResponsePipeline {
        let server = stage.newServer()
        let api = Service(baseURL: "https://api.example.com")

        @Test func `A transformer converts a text`() async throws {
            server.answer("GET /version", .text("6.2.1"))
            api.configureTransformer("/version") { (entity: Entity<String>) in
                entity.content.split(separator: ".").compactMap { Int($0) }
            }
            let version: [Int] = try await api.resource("/version").load().value.content()
            #expect(version == [6, 2, 1])
        }

        @Test func `A stage of the app unwraps JSON`() async throws {
            server.answer("GET /wrapped/name", .json(#"{"data": "Ada"}"#))
            let unwrap = ResponseContentTransformer { (entity: Entity<[String: Any]>) in entity.content["data"] }
            api.configure("/wrapped/*") {
                $0.pipeline.order = [.rawData, .decoding, .parsing, .unwrapping, .model, .cleanup]
                $0.pipeline[.unwrapping].add(unwrap)
            }
            let name: String = try await api.resource("/wrapped/name").load().value.content()
            #expect(name == "Ada")
        }
    }
}
