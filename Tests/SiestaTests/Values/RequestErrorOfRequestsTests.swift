import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The errors of real requests, as an app sees them.
@MainActor @Suite(.timeLimit(.test))
struct RequestErrorOfRequestsTests {
    private let network = StubNetwork()
    private let service: Service
    private let resource: Resource

    init() {
        service = Service(baseURL: "http://failing.test/api", networking: network)
        resource = service.resource("/x")
    }

    private func failure(of answer: StubAnswer, method: RequestMethod = .get) async throws -> RequestError {
        network.answer(method, "/x", with: answer)
        guard case .failure(let error) = await resource.request(method).completion().response else {
            throw CocoaError(.featureUnsupported)
        }
        return error
    }

    @Test(arguments: [400, 401, 404, 410, 422, 500, 503, 599])
    func `A status of 400 and above is an error with the status code and no cause`(status: Int) async throws {
        let error = try await failure(of: .response(status))
        #expect(error.httpStatusCode == status)
        #expect(error.cause == nil)
        #expect(error.userMessage == UserMessages().statusPhrase(status))
    }

    @Test(arguments: [200, 201, 202, 203, 299, 300, 399])
    func `A status below 400 is no error`(status: Int) async {
        network.answer(.get, "/x", with: .response(status))
        let info = await resource.request(.get).completion()
        #expect(throws: Never.self) { try info.response.get() }
    }

    @Test func `The message of an HTTP error is the capitalised status phrase`() async throws {
        #expect(try await failure(of: .response(404)).userMessage == "Not found")
        #expect(try await failure(of: .response(500)).userMessage == "Internal server error")
    }

    @Test func `The body of an HTTP error is its entity`() async throws {
        let error = try await failure(
            of: .response(500, headers: ["Content-Type": "x/y", "X-Why": "z"], body: Data([1, 2, 3])))
        #expect(error.entity?.content as? Data == Data([1, 2, 3]))
        #expect(error.entity?.contentType == "x/y")
        #expect(error.entity?.header(forKey: "x-why") == "z")
    }

    @Test func `The entity of an HTTP error without body is zero-length data`() async throws {
        #expect(try await failure(of: .response(500)).entity?.content as? Data == Data())
    }

    @Test func `The message of a failure of the network is its description`() async throws {
        let error = try await failure(of: .failure(.timedOut))
        #expect(error.userMessage == "The server took too long to respond.")
        #expect((error.cause as? URLError)?.code == .timedOut)
        #expect(error.httpStatusCode == nil)
        #expect(error.entity == nil)
    }

    @Test func `The message of a failure of a provider's own is its description`() async throws {
        struct Jammed: LocalizedError {
            var errorDescription: String? { "The tubes are jammed" }
        }
        let error = try await failure(of: .failure(Jammed()))
        #expect(error.userMessage == "The tubes are jammed")
        #expect(error.cause is Jammed)
    }

    @Test func `An error tells the address and the method of its request`() async throws {
        let error = try await failure(of: .response(500), method: .post)
        #expect(error.requestURL?.absoluteString == "http://failing.test/api/x")
        #expect(error.requestMethod == "POST")
        #expect(error.description.contains("POST http://failing.test/api/x"))
    }

    @Test func `The address and the method are those after all mutations`() async throws {
        service.configure("/x") { configuration in
            configuration.mutateRequests {
                $0.httpMethod = "PUT"
                $0.url = URL(string: "http://failing.test/elsewhere")
            }
        }
        network.answer(.put, "/elsewhere", with: .response(500))
        let error = try await failure(of: .response(500), method: .post)
        #expect(error.requestURL?.absoluteString == "http://failing.test/elsewhere")
        #expect(error.requestMethod == "PUT")
    }

    @Test func `An error made by a transformer tells the address and the method, too`() async throws {
        network.answer(.get, "/x", with: .json("nonsense"))
        guard case .failure(let error) = await resource.request(.get).completion().response else {
            Issue.record("no failure")
            return
        }
        #expect(error.requestURL?.path == "/api/x")
        #expect(error.requestMethod == "GET")
    }

    @Test func `An error made by hand has neither address nor method`() {
        let error = RequestError(userMessage: "x", cause: CocoaError(.featureUnsupported))
        #expect(error.requestURL == nil)
        #expect(error.requestMethod == nil)
    }

    @Test func `The timestamp of an error is the time of its answer by the service's clock`() async throws {
        let clock = TestClock(wallTime: 500)
        let network = StubNetwork()
        network.answer(.get, "/x", with: .held)
        let service = clock.whileCurrent { Service(baseURL: "http://failing.test", networking: network) }
        let request = service.resource("/x").load()
        clock.advance(by: 20)
        network.lastExchange?.respond(with: .response(500, body: Data([1])))
        await request.completion()
        let error = try #require(service.resource("/x").latestError)
        #expect(error.timestamp == 520)
        #expect(error.entity?.timestamp == 520)
    }
}
