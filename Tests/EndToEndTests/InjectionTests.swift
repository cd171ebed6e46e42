import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor @Suite(.timeLimit(.test))
struct InjectionTests {
    @Test(arguments: ["GET / HTTP/1.1\r\nX: 1\r\n\r\nDELETE", "GET\n", "two words", "", "GÉT"])
    func `A method that is not a token is refused before anything is sent`(_ method: String) async throws {
        let network = StubNetwork()
        let resource = Service(baseURL: "http://a.test", networking: network).resource("/x")
        let info = await resource.request(method: method).completion()
        guard case .failure(let error) = info.response else {
            Issue.record("The request was not refused")
            return
        }
        #expect(error.code == .invalidMethod)
        #expect(network.requests.isEmpty)
        #expect(resource.allRequests.isEmpty)
    }

    @Test func `A request that mutations leave without a URL is refused`() async {
        let network = StubNetwork()
        let resource = Service(baseURL: "http://a.test", networking: network).resource("/x")
        let info = await resource.request(.get) { $0.url = nil }.completion()
        #expect(network.requests.isEmpty)
        if case .failure(let error) = info.response { #expect(error.cause is RequestError.Cause.InvalidURL) }
        #expect(info.response.isCancellation == false)
    }
}
