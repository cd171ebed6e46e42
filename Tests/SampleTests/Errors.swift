import Foundation
import LoopbackServer
import SampleServer
import Siesta
import SiestaTesting
import Testing
import Waiting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Samples {
    /// The article "Errors".
    @MainActor
    struct Errors {
        let server = stage.newServer()

        @Test func `The cause distinguishes the failures`() async throws {
            server.answer(
                "GET /v1/users/42", .json(#"{"id": 42, "name": "Ada"}"#), .json(#"{"message": "gone"}"#, status: 410),
                .json("{}"), .failure)
            let api = MyAPI()
            func load(_ ada: TypedResource<User>) async {
                do {
                    print(try await ada.get(.always).name)
                } catch {
                    print(error.userMessage)  // The type of `error` is RequestError.
                    switch error.code {
                    case .cancelled: break
                    case .invalidContent, .wrongContentType: print(error)  // With the cause, for developers.
                    case .network: print((error.cause as? URLError)?.code ?? .unknown)
                    default: print(error.httpStatusCode ?? 0, error.jsonDict["message"] ?? "")
                    }
                }
            }
            for _ in 1...4 { await load(api.user(42)) }
            let task = Task { await load(api.user(42)) }
            task.cancel()
            await task.value
            api.configure("/users/42") { $0.pipeline[.model].removeTransformers() }
            server.answer("GET /v1/users/42", .text("Ada"))
            await load(api.user(42))
            let printed = stage.printed
            let gone = UserMessages.current.statusPhrase(410)
            #expect(printed.prefix(4) == ["Ada", gone, "410 gone", "Cannot parse server response"])
            #expect(printed.dropFirst(4).first?.contains("id") == true)
            #expect(printed.dropFirst(5).count == 5)
            #expect(printed.contains("Request cancelled"))
            #expect(printed.last?.contains("of type User, but the pipeline made Data") == true)
        }

        #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
        @Test func `An app can replace the messages`() async {
            await #expect(processExitsWith: .success) {  // The messages belong to the whole process.
                UserMessages.current.requestFailed = "Échec de la requête"
                #expect(RequestError(response: nil, content: nil, cause: nil).userMessage == "Échec de la requête")
            }
        }
        #endif
    }
}
