import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Resources without a usable URL.
@MainActor @Suite(.timeLimit(.test))
struct InvalidResourceTests {
    private let stub = StubbedResource()

    enum Call: CaseIterable {
        case get, post, data, text, json, urlEncoded, unknownMethod

        @MainActor func make(_ resource: Resource) -> any Request {
            switch self {
            case .get: resource.request(.get)
            case .post: resource.request(.post)
            case .data: resource.request(.put, data: Data(), contentType: "text/plain")
            case .text: resource.request(.post, text: "text")
            case .json: resource.request(.post, json: ["a": 1])
            case .urlEncoded: resource.request(.post, urlEncoded: ["a": "1"])
            case .unknownMethod: resource.request(method: "REPORT")
            }
        }
    }

    @Test(arguments: Call.allCases)
    func `Every request of an invalid resource has failed already with InvalidURL`(_ call: Call) async {
        let request = call.make(stub.service.resource(absoluteURL: ""))
        #expect(request.state == .completed)
        let cause = await request.completion().failure?.cause as? RequestError.Cause.InvalidURL
        #expect(cause?.urlSource as? String == "")
        #expect(stub.network.requests.isEmpty)
    }

    @Test func `load() of an invalid resource has failed already, and sets its error`() async {
        let resource = stub.service.resource(absoluteURL: nil)
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        let load = resource.load()
        #expect(load.state == .completed)
        await load.completion()
        #expect(resource.latestError?.cause is RequestError.Cause.InvalidURL)
        #expect(resource.latestError?.userMessage == "Cannot send request with invalid URL")
        #expect(resource.latestData == nil)
        #expect(!resource.isLoading)
        #expect(!resource.isRequesting)
        #expect(recorder.events == [.observerAdded, .requested, .error])
        #expect(stub.network.requests.isEmpty)
    }

    @Test func `A service without a base has no resource for a path`() async {
        let service = Service(networking: StubNetwork())
        let load = service.resource("/thing").load()
        #expect(load.state == .completed)
        #expect(await load.completion().failure?.cause is RequestError.Cause.InvalidURL)
    }

    @Test func `An invalid resource can be observed, overridden, invalidated and wiped like any other`() {
        let resource = stub.service.resource(absoluteURL: "")
        resource.overrideLocalContent(with: "mine")
        #expect(resource.text == "mine")
        resource.invalidate()
        #expect(!resource.isUpToDate)
        resource.wipe()
        #expect(resource.latestData == nil)
        resource.cancelLoadIfUnobserved()
        #expect(!resource.isLoading)
    }
}
