import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.test))
struct RequestErrorTests {
    private struct Described: LocalizedError {
        var errorDescription: String? { "A described cause" }
    }

    private struct Plain: Error {}

    private func response(_ status: Int, _ headers: [String: String] = [:]) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://error.test/"))
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers))
    }

    // MARK: Parts

    @Test func `The status code is that of the response`() throws {
        #expect(RequestError(response: try response(418), content: nil, cause: nil).httpStatusCode == 418)
        #expect(RequestError(response: nil, content: nil, cause: Plain()).httpStatusCode == nil)
        #expect(RequestError(userMessage: "x", cause: Plain()).httpStatusCode == nil)
    }

    @Test func `The content becomes an entity with the headers of the response`() throws {
        let error = RequestError(
            response: try response(400, ["Content-Type": "text/x; charset=c", "X-A": "b"]), content: "body", cause: nil)
        let entity = try #require(error.entity)
        #expect(entity.content as? String == "body")
        #expect(entity.contentType == "text/x; charset=c")
        #expect(entity.charset == "c")
        #expect(entity.header(forKey: "x-a") == "b")
    }

    @Test func `Without content there is no entity`() throws {
        #expect(RequestError(response: try response(400), content: nil, cause: nil).entity == nil)
        #expect(RequestError(userMessage: "x", cause: Plain()).entity == nil)
    }

    @Test func `The cause is what was given`() {
        #expect(RequestError(response: nil, content: nil, cause: Plain()).cause is Plain)
        #expect(RequestError(response: nil, content: nil, cause: nil).cause == nil)
        #expect(RequestError(userMessage: "x", cause: Plain()).cause is Plain)
    }

    @Test func `The message, the entity and the cause given to the second initialiser are kept`() {
        let error = RequestError(
            userMessage: "Mine", cause: Plain(), entity: Entity<Any>(content: 5, contentType: "a/b"))
        #expect(error.userMessage == "Mine")
        #expect(error.entity?.content as? Int == 5)
    }

    @Test func `The timestamp is now, by the same clock as that of entities`() {
        TestClock(wallTime: 4711).whileCurrent {
            #expect(RequestError(response: nil, content: nil, cause: nil).timestamp == 4711)
            #expect(RequestError(userMessage: "x", cause: Plain()).timestamp == 4711)
            #expect(RequestError(response: nil, content: "x", cause: nil).entity?.timestamp == 4711)
        }
    }

    @Test func `Message, status code, entity and cause can be changed, and a copy is independent`() {
        let original = RequestError(userMessage: "old", cause: Plain())
        var copy = original
        copy.userMessage = "new"
        copy.httpStatusCode = 500
        copy.entity = Entity<Any>(content: 1, contentType: "a/b")
        copy.cause = Described()
        #expect(copy.userMessage == "new")
        #expect(copy.httpStatusCode == 500)
        #expect(copy.entity?.content as? Int == 1)
        #expect(copy.cause is Described)
        #expect(copy.timestamp == original.timestamp)
        #expect(original.userMessage == "old")
        #expect(original.httpStatusCode == nil)
        #expect(original.entity == nil)
        #expect(original.cause is Plain)
    }

    // MARK: Messages

    @Test func `The message given wins over all others`() throws {
        let error = RequestError(
            response: try response(404, ["Content-Type": "application/problem+json"]),
            content: ["detail": "from the body"], cause: Described(), userMessage: "Mine")
        #expect(error.userMessage == "Mine")
    }

    @Test func `The description of the cause wins over the status phrase`() throws {
        let error = RequestError(response: try response(404), content: nil, cause: Described())
        #expect(error.userMessage == "A described cause")
    }

    @Test(arguments: [
        (400, "Bad request"), (401, "Unauthorized"), (403, "Forbidden"), (404, "Not found"), (409, "Conflict"),
        (500, "Internal server error"), (503, "Service unavailable"),
    ])
    func `Without a cause the message is the status phrase`(status: Int, phrase: String) throws {
        #expect(RequestError(response: try response(status), content: nil, cause: nil).userMessage == phrase)
    }

    @Test(arguments: [400, 418, 429, 451, 499, 511, 599, 999])
    func `Every status code has a phrase that begins with a capital`(status: Int) throws {
        let phrase = RequestError(response: try response(status), content: nil, cause: nil).userMessage
        #expect(phrase == UserMessages().statusPhrase(status))
        #expect(phrase.first?.isUppercase == true)
    }

    @Test func `Without anything the message is "Request failed"`() {
        #expect(RequestError(response: nil, content: nil, cause: nil).userMessage == "Request failed")
        #expect(RequestError(response: nil, content: "body", cause: nil).userMessage == "Request failed")
    }

    @Test(arguments: [
        (URLError.Code.notConnectedToInternet, "There is no network connection."),
        (.timedOut, "The server took too long to respond."),
        (.cannotFindHost, "The server’s name could not be found."),
        (.cannotConnectToHost, "Could not connect to the server."),
        (.networkConnectionLost, "The connection to the server was lost before the response was complete."),
        (.secureConnectionFailed, "A secure connection to the server could not be established."),
        (.serverCertificateUntrusted, "The server’s identity could not be verified."),
        (.httpTooManyRedirects, "The server redirected the request too many times."),
        (.badServerResponse, "The response of the server could not be understood."),
    ])
    func `A failure of the network is told in a sentence that a person understands`(code: URLError.Code, words: String)
    {
        #expect(RequestError(response: nil, content: nil, cause: URLError(code)).userMessage == words)
    }

    @Test func `A description that a network error carries is used as it is`() {
        let cause = URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "Words of the transport"])
        #expect(RequestError(response: nil, content: nil, cause: cause).userMessage == "Words of the transport")
    }

    @Test func `Any cause makes a message, also one that describes itself badly`() {
        #expect(!RequestError(response: nil, content: nil, cause: Plain()).userMessage.isEmpty)
        #expect(!RequestError(response: nil, content: nil, cause: URLError(.callIsActive)).userMessage.isEmpty)
    }

    // MARK: As an error

    @Test func `Code that knows nothing of the library shows the user message`() {
        let error: any Error = RequestError(userMessage: "Shown", cause: Plain())
        #expect(error.localizedDescription == "Shown")
    }

    @Test func `The description has message, status and cause`() throws {
        let error = RequestError(response: try response(404), content: nil, cause: Plain(), userMessage: "Mine")
        #expect(error.description.contains("Mine"))
        #expect(error.description.contains("404"))
        #expect(error.description.contains("Plain"))
        #expect(RequestError(response: nil, content: nil, cause: nil).description == "Request failed")
    }

    @Test func `The causes can be made by hand and tell their parts`() {
        #expect(RequestError.Cause.InvalidURL(urlSource: "x").urlSource as? String == "x")
        #expect(RequestError.Cause.UnencodableText(encoding: .ascii, text: "é").text == "é")
        #expect(RequestError.Cause.NotURLEncodable(offendingString: "o").offendingString == "o")
        #expect(RequestError.Cause.RequestCancelled(networkError: Plain()).networkError is Plain)
        #expect(RequestError.Cause.InvalidTextEncoding(encodingName: "e").encodingName == "e")
        #expect(RequestError.Cause.UndecodableText(encoding: .utf8).encoding == .utf8)
        let actualType = RequestError.Cause.JSONResponseIsNotDictionaryOrArray(actualType: Int.self).actualType
        #expect(ObjectIdentifier(actualType) == ObjectIdentifier(Int.self))
        let causes: [any Error] = [
            RequestError.Cause.InvalidJSONObject(), RequestError.Cause.NoLocalDataFor304(),
            RequestError.Cause.UnparsableImage(),
        ]
        #expect(causes.count == 3)
    }
}
