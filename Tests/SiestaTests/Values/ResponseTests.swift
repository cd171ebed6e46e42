import Foundation
import SiestaCore
import TestDoubles
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct ResponseTests {
    private struct SomeError: Error {}

    private let success = Response.success(Entity<Any>(content: "the secret content", contentType: "text/x-kind"))
    private let failure = Response.failure(RequestError(userMessage: "Went wrong", cause: SomeError()))
    private let cancellation = Response.failure(
        RequestError(userMessage: "x", cause: RequestError.Cause.RequestCancelled(networkError: nil)))

    @Test func `A response is a cancellation if its cause is RequestCancelled`() {
        #expect(cancellation.isCancellation)
        #expect(!success.isCancellation)
        #expect(!failure.isCancellation)
    }

    @Test func `A network error that is a cancellation is not one until the library says so`() {
        let error = RequestError(response: nil, content: nil, cause: URLError(.cancelled))
        #expect(!Response.failure(error).isCancellation)
    }

    @Test func `The description tells outcome and type, never the content`() {
        #expect(success.description.contains("String"))
        #expect(success.description.contains("text/x-kind"))
        #expect(!success.description.contains("secret"))
        #expect(failure.description.contains("Went wrong"))
        #expect(failure.description.contains("SomeError"))
    }

    @Test func `A response info is new unless it is said not to be`() {
        #expect(ResponseInfo(response: success).isNew)
        #expect(ResponseInfo(response: failure).isNew)
        #expect(!ResponseInfo(response: success, isNew: false).isNew)
    }

    @Test func `Both parts of a response info can be changed`() {
        var info = ResponseInfo(response: success)
        info.response = cancellation
        info.isNew = false
        #expect(info.response.isCancellation)
        #expect(!info.isNew)
    }
}
