import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The table is global. Therefore a test that changes it runs in a separate process.
@Suite(.timeLimit(.test))
struct UserMessagesTests {
    @Test func `The table begins with English phrases`() {
        let messages = UserMessages()
        #expect(messages.requestFailed == "Request failed")
        #expect(messages.invalidURL == "Cannot send request with invalid URL")
        #expect(messages.cannotSendRequest == "Cannot send request")
        #expect(messages.requestCancelled == "Request cancelled")
        #expect(messages.noLocalData == "No data available")
        #expect(messages.cannotParseResponse == "Cannot parse server response")
        #expect(messages.cannotParseText == "Cannot parse text response")
        #expect(messages.cannotParseImage == "Cannot decode image")
    }

    @Test(arguments: [
        (400, "Bad request"), (404, "Not found"), (410, "Gone"), (500, "Internal server error"), (599, "Server error"),
    ])
    func `A status phrase has only its first letter in upper case`(status: Int, phrase: String) {
        #expect(UserMessages().statusPhrase(status) == phrase)
    }

    #if os(Linux)
    @Test func `Acronyms in status phrases stay in upper case`() {
        #expect(UserMessages().statusPhrase(505) == "HTTP version not supported")
        #expect(UserMessages().statusPhrase(414) == "URI too long")
    }
    #endif

    @Test(arguments: [
        -1, -999, -1000, -1001, -1002, -1003, -1004, -1005, -1006, -1007, -1009, -1011, -1012, -1013, -1014, -1015,
        -1016,
        -1017, -1103, -1200, -1201, -1202, -1203, -1204,
    ])
    func `The network's usual failures have words`(code: Int) {
        let words = UserMessages().networkFailure(URLError.Code(rawValue: code) ?? .unknown)
        #expect(words?.isEmpty == false)
        #expect(words?.contains("NSURLErrorDomain") == false)
    }

    @Test func `Unusual failures of the network are left to the error's own description`() {
        #expect(UserMessages().networkFailure(.callIsActive) == nil)
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test func `Errors take their words from the table in use when they occur`() async {
        await #expect(processExitsWith: .success) {
            UserMessages.current.requestFailed = "Échec"
            UserMessages.current.statusPhrase = { "Statut \($0)" }
            UserMessages.current.networkFailure = { $0 == .timedOut ? "Trop lent" : nil }
            #expect(RequestError(response: nil, content: nil, cause: nil).userMessage == "Échec")
            #expect(RequestError(response: nil, content: nil, cause: URLError(.timedOut)).userMessage == "Trop lent")
            let url = try #require(URL(string: "http://words.test/"))
            let response = HTTPURLResponse(url: url, statusCode: 404, httpVersion: nil, headerFields: nil)
            #expect(RequestError(response: response, content: nil, cause: nil).userMessage == "Statut 404")
        }
    }

    @Test func `Every phrase of the table reaches the errors it is for`() async {
        await #expect(processExitsWith: .success) {
            try await UserMessagesTests.expectReplacedPhrases()
        }
    }
    #endif

    @MainActor private static func expectReplacedPhrases() async throws {
        UserMessages.current.invalidURL = "1"
        UserMessages.current.cannotSendRequest = "2"
        UserMessages.current.requestCancelled = "3"
        UserMessages.current.noLocalData = "4"
        UserMessages.current.cannotParseResponse = "5"
        UserMessages.current.cannotParseText = "6"
        UserMessages.current.cannotParseImage = "7"
        let network = StubNetwork()
        network.answer(.get, "/304", with: .notModified)
        network.answer(.get, "/json", with: .json("nonsense"))
        network.answer(.get, "/text", with: .text("x", contentType: "text/plain; charset=no-such-charset"))
        network.answer(.get, "/image", with: .text("x", contentType: "image/png"))
        network.answer(.get, "/held", with: .held)
        let service = Service(baseURL: "http://words.test", networking: network)
        let cancelled = service.resource("/held").request(.get)
        cancelled.cancel()
        let requests: [(any Request, String)] = [
            (service.resource(absoluteURL: nil).request(.get), "1"),
            (service.resource("/x").request(.post, text: "é", encoding: .ascii), "2"),
            (cancelled, "3"),
            (service.resource("/304").load(), "4"),
            (service.resource("/json").load(), "5"),
            (service.resource("/text").load(), "6"),
            (service.resource("/image").load(), "7"),
        ]
        for (request, phrase) in requests {
            guard case .failure(let error) = await request.completion().response else {
                Issue.record("no failure where \(phrase) was expected")
                continue
            }
            #expect(error.userMessage == phrase)
        }
    }
}
