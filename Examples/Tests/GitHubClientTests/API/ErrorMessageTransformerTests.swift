import Foundation
import Siesta
import TestKit
import Testing

@testable import GitHubClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Messages of errors", .timeLimit(.test))
struct ErrorMessageTransformerTests {
    private let transformer = ErrorMessageTransformer(timeZone: .gmt)

    private func message(status: Int, headers: [String: String] = [:], body: String) throws -> String? {
        let url = try #require(URL(string: "https://api.test/"))
        let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers)
        let error = RequestError(response: response, content: Data(body.utf8), cause: nil)
        guard case .failure(let changed) = transformer.process(.failure(error)) else { return nil }
        return changed.userMessage
    }

    @Test("are GitHub's own words")
    func own() throws {
        #expect(try message(status: 422, body: #"{"message": "Validation Failed"}"#) == "Validation Failed")
    }

    @Test("are those of the status if GitHub has none")
    func none() throws {
        #expect(try message(status: 502, body: "<html>") == "Bad gateway")
    }

    @Test("tell until when a rate limit is used up", arguments: [403, 429])
    func limit(status: Int) throws {
        let headers = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1772366940"]
        let message = try message(status: status, headers: headers, body: #"{"message": "Slow down"}"#)
        #expect(message == "The rate limit is used up until 12:09")
    }

    @Test("say nothing of a limit that is not used up")
    func noLimit() throws {
        let headers = ["X-RateLimit-Remaining": "3", "X-RateLimit-Reset": "1772366940"]
        #expect(try message(status: 403, headers: headers, body: #"{"message": "Forbidden"}"#) == "Forbidden")
    }
}
