import Foundation
import LoopbackServer
import SampleServer
import Siesta
import Testing
import Waiting

// The log belongs to the whole process. Therefore each sample runs in a process of its own.
#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
extension Samples {
    /// The article "Logging".
    @MainActor
    struct Logging {
        static func loadUser() async throws {
            stage.server.answer("GET /users/42", .json(#"{"id": 42, "name": "Ada"}"#))
            let api = Service(baseURL: "https://api.example.com")
            api.decode("/users/*", as: User.self)
            _ = try await api.resource("/users/42").loadIfNeeded()?.value
        }

        @Test func `Messages appear on standard error`() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                _ = stage.newServer()
                SiestaLog.Category.enabled = .common
                try await Logging.loadUser()
            }
            let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(
                log.split(separator: "\n").filter { $0.hasPrefix("[Siesta:") } == [
                    "[Siesta:staleness] Resource(…/users/42)[] needs a load",
                    "[Siesta:network] GET https://api.example.com/users/42",
                    """
                    [Siesta:network] Response: Success: User (application/json) \
                    ← GET https://api.example.com/users/42
                    """,
                    """
                    [Siesta:stateChanges] Resource(…/users/42)[D] received newData(network) \
                    from Success: User (application/json)
                    """,
                ])
        }

        @Test func `A handler receives the messages`() async {
            await #expect(processExitsWith: .success) {
                _ = stage.newServer()
                SiestaLog.messageHandler = { category, message in
                    print("\(category): \(message)")
                }
                SiestaLog.Category.enabled = .common
                try await Logging.loadUser()
                #expect(stage.printed.first == "staleness: Resource(…/users/42)[] needs a load")
                #expect(stage.printed.count == 4)
            }
        }

        static func logIn(_ account: String?) {
            let api = Service(baseURL: "https://api.example.com")
            SiestaLog.log(.network, ["Signed in as", account, "at", api.baseURL])
        }

        @Test func `The app adds messages`() async {
            await #expect(processExitsWith: .success) {
                _ = stage.newServer()
                SiestaLog.messageHandler = { category, message in print("\(category): \(message)") }
                await Logging.logIn("ada")
                #expect(stage.printed.isEmpty)
                SiestaLog.Category.enabled = .common
                await Logging.logIn("ada")
                await Logging.logIn(nil)
                #expect(
                    stage.printed == [
                        "network: Signed in as ada at https://api.example.com/",
                        "network: Signed in as at https://api.example.com/",
                    ])
            }
        }
    }
}
#endif
