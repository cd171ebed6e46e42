import Foundation
import SampleServer
import Siesta
import SiestaTesting
import Testing

extension Samples {
    /// The samples about recordings: those of the doc comments, and those of the article about tests.
    @MainActor
    struct RecordingAndReplaying {
        let server = stage.newServer()
        let temporary = SampleFolder()

        @Test func `A session is recorded and replayed`() async throws {
            server.answer("GET /users/42", .json(#"{"name": "Ada"}"#))
            let file = temporary.url.appendingPathComponent("session.har")
            do {
                let recorder = HARRecorder(around: DefaultNetworking())
                let service = Service(baseURL: "https://api.example.com", networking: recorder)
                recorder.start()
                _ = try await service.resource("/users/42").load().value
                recorder.stop()
                try await recorder.write(to: file)
            }
            server.answer("GET /users/42", .status(500))
            let replay = try HARReplay(contentsOf: file)
            let service = Service(baseURL: "https://api.example.com", networking: replay)
            #expect(try await service.resource("/users/42").load().value.jsonDict["name"] as? String == "Ada")
        }

        @Test func `The article records a session, and tests with it`() async throws {
            let password = "correct horse"
            server.answer("GET /users/42", .json(#"{"name": "Ada", "note": "correct horse"}"#))
            let file = temporary.url.appendingPathComponent("session.har")
            do {
                let recorder = HARRecorder(around: DefaultNetworking())
                recorder.redaction.secrets = [password]
                let service = Service(baseURL: "https://api.example.com", networking: recorder)
                recorder.start()
                _ = try await service.resource("/users/42").load().value
                try await recorder.write(to: file)
            }
            #expect(try !String(contentsOf: file, encoding: .utf8).contains(password))
            server.answer("GET /users/42", .status(500))
            let replay = try HARReplay(contentsOf: file, matching: .strict)
            let service = Service(baseURL: "https://api.example.com", networking: replay)
            let user = try await service.resource("/users/42").load().value
            #expect(user.jsonDict["name"] as? String == "Ada")
            #expect(replay.unusedRequests.isEmpty)
        }
    }
}
