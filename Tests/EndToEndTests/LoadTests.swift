import Foundation
import LoopbackServer
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Complete loads, from a service to a server on the loopback interface.
@MainActor @Suite(.timeLimit(.model))
struct LoadTests {
    @Test(arguments: NetworkingKind.allCases)
    func `A resource loads, confirms with its ETag, keeps data over an error, and lets its service go`(
        _ transport: NetworkingKind
    ) async throws {
        let server = try LoopbackServer { exchange in
            switch (exchange.request.target, exchange.request.header("If-None-Match")) {
            case ("/api/gone", _):
                try exchange.respond(404, headers: ["Content-Type: text/plain"], text: "no such thing")
            case (_, "\"1\""): try exchange.respond(304)
            default:
                let headers = ["ETag: \"1\"", "Content-Type: application/json"]
                try exchange.respond(headers: headers, text: #"{"name": "Ada"}"#)
            }
        }
        weak var weakService: Service?
        weak var weakResource: Resource?
        do {
            let service = Service(baseURL: server.url("/api"), networking: transport.networking)
            let (resource, recorder) = (service.resource("/user"), ObserverRecorder())
            (weakService, weakResource) = (service, resource)
            resource.addObserver(recorder)
            await resource.load().completion()
            #expect(resource.jsonDict["name"] as? String == "Ada")
            let confirmed = await resource.load().completion()
            #expect(!confirmed.isNew)
            #expect(
                recorder.events == [.observerAdded, .requested, .newData(.network), .requested, .notModified])
            await service.resource("/gone").load().completion()
            #expect(service.resource("/gone").latestError?.userMessage == "Not found")
            #expect(service.resource("/gone").latestError?.text == "no such thing")
        }
        #expect(weakResource == nil)
        #expect(weakService == nil)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `Bytes are counted both ways, so that progress moves`(_ transport: NetworkingKind) async throws {
        let (halfSent, proceed) = (Gate(), Gate())
        let server = try LoopbackServer { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 200000\r\n\r\n")
            try exchange.send(Data(repeating: 65, count: 100_000))
            halfSent.open()
            try exchange.wait(for: proceed)
            try exchange.send(Data(repeating: 65, count: 100_000))
        }
        let service = Service(baseURL: server.url(), networking: transport.networking)
        service.configure { $0.progressReportingInterval = 0.002 }
        var reported: [Double] = []
        let request = service.resource("/big").load().onProgress { progress in
            reported.append(progress)
            if progress > 0.4 { proceed.open() }  // Waiting alone stays below: the first half was counted.
        }
        await request.completion()
        #expect(halfSent.isOpen)
        #expect(reported == reported.sorted())
        #expect(reported.last == 1)
        #expect(service.resource("/big").text.utf8.count == 200_000)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A 401 with a challenge completes, with its body`(_ transport: NetworkingKind) async throws {
        let server = try LoopbackServer { exchange in
            try exchange.respond(401, headers: ["WWW-Authenticate: Basic realm=\"x\""], text: "who are you")
        }
        let info = await Service(baseURL: server.url(), networking: transport.networking).resource("/secret").load()
            .completion()
        guard case .failure(let error) = info.response else { throw Unexpected() }
        #expect(error.httpStatusCode == 401)
        #expect(error.userMessage == "Unauthorized")
        #expect(error.requestURL == server.url("/secret"))
        #expect(error.requestMethod == "GET")
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A redirect to another origin leaves secrets behind`(_ transport: NetworkingKind) async throws {
        let other = try LoopbackServer { try $0.respond(headers: ["Content-Type: text/plain"], text: "here") }
        let target = other.url("/there")
        let server = try LoopbackServer { try $0.respond(302, headers: ["Location: \(target)"]) }
        let service = Service(baseURL: server.url(), networking: transport.networking)
        service.configure { $0.headers["Authorization"] = "Bearer secret" }
        let resource = service.resource("/here")
        await resource.load().completion()
        #expect(resource.text == "here")
        #expect(server.requests.first?.header("Authorization") == "Bearer secret")
        #expect(other.requests.first?.header("Authorization") == nil)
    }

    private struct Unexpected: Error {}
}
