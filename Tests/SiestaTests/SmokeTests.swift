import Foundation
import Siesta
import SiestaTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor @Suite(.timeLimit(.minutes(1)))
struct SmokeTests {
    @Test func loads() async {
        let network = StubNetwork()
        network.answer(.get, "/x", with: .json(#"{"a": 1}"#, headers: ["ETag": "\"1\""]), .notModified, .response(404))
        weak var weakService: Service?
        weak var weakResource: Resource?
        do {
            let service = Service(baseURL: "http://a.test/api", networking: network)
            weakService = service
            let resource = service.resource("/x")
            weakResource = resource
            let recorder = ObserverRecorder()
            resource.addObserver(recorder)
            await resource.load().completion()
            #expect(resource.jsonDict["a"] as? Int == 1)
            await resource.load().completion()
            #expect(network.requests[1].value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
            await resource.load().completion()
            #expect(resource.latestError?.userMessage == "Not Found")
            #expect(recorder.events == [.observerAdded, .requested, .newData(.network), .requested, .notModified, .requested, .error])
            #expect(service.resource("x") === resource)
            #expect(resource.description == "Resource(…/x)[DE]")
        }
        #expect(weakResource == nil)
        #expect(weakService == nil)
    }
}
