import Foundation
import Siesta
import SiestaTesting
import Testing

/// In release mode, the optimizer may remove the return to the main actor from an asynchronous function.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct MainActorTests {
    @Test func `A download ends on the main actor`() async throws {
        let network = StubNetwork()
        network.answer(.get, "/file", with: .text("content"))
        let service = Service(baseURL: "https://api.test", networking: network)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try await service.resource("/file").download(to: file).value
        MainActor.preconditionIsolated()
        #expect(try String(contentsOf: file, encoding: .utf8) == "content")
    }

    @Test func `The functions of cookies end on the main actor`() async {
        let service = Service(baseURL: "https://api.test", cookies: .inMemory)
        _ = await service.cookies
        MainActor.preconditionIsolated()
        await service.removeCookies()
        MainActor.preconditionIsolated()
    }
}
