import Foundation
import LoopbackServer
import SampleServer
import Siesta
import Testing
import Waiting

extension Samples {
    /// The article "Concurrency".
    @MainActor
    struct Concurrency {
        let server = stage.newServer()

        @Test func `A snapshot is read off the main actor`() async throws {
            server.answer("GET /v1/users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            let user = MyAPI().user(42)
            _ = try await user.load()
            let line = await Task.detached {
                let snapshot = user.snapshot  // Does not wait for the main actor.
                return "\(snapshot.content?.name ?? "nobody"), stale: \(snapshot.isStale)"
            }.value
            #expect(line == "Ada, stale: false")
        }
    }
}
