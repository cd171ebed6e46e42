import CacheTorture
import Foundation
import LoopbackServer
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// Failures of servers, and the messages for people.
@MainActor @Suite(.timeLimit(.model))
struct FailureTests {
    /// A way in which a server fails, and the expected message for a person.
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let message: String
        let script: LoopbackServer.Script
    }

    nonisolated static let faults = [
        Fault(
            testDescription: "a body shorter than its Content-Length",
            message: "The connection to the server was lost before the response was complete."
        ) { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nshort")
        },
        Fault(
            testDescription: "a reset in the middle of the body",
            message: "The connection to the server was lost before the response was complete."
        ) { exchange in
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nshort")
            exchange.reset()
        },
        Fault(
            testDescription: "no answer at all",
            message: "The connection to the server was lost before the response was complete."
        ) { _ in },
        Fault(testDescription: "1 MB of garbage", message: "The response of the server could not be understood.") {
            exchange in
            try exchange.send(Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }))
        },
        Fault(testDescription: "invalid UTF-8", message: "Cannot parse text response") { exchange in
            try exchange.respond(headers: ["Content-Type: text/plain; charset=utf-8"], body: Data([0x61, 0xFF, 0xFE]))
        },
        Fault(testDescription: "invalid JSON", message: "Cannot parse server response") { exchange in
            try exchange.respond(headers: ["Content-Type: application/json"], text: #"{"a": "#)
        },
        Fault(testDescription: "redirects without end", message: "The server redirected the request too many times.") {
            try $0.respond(302, headers: ["Location: /again", "Connection: close"])
        },
    ]

    @Test(arguments: faults, NetworkingKind.allCases)
    func `ends in one error that a person understands`(_ fault: Fault, over transport: NetworkingKind) async throws {
        let server = try LoopbackServer { exchange in
            try fault.script(exchange)
            exchange.close()
        }
        let resource = Service(baseURL: server.url(), networking: transport.networking).resource("/faulty")
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        var failures: [RequestError] = []
        await resource.load().onFailure { failures.append($0) }.completion()
        #expect(failures.map(\.userMessage) == [fault.message])
        #expect(recorder.events == [.observerAdded, .requested, .error])
        #expect(!resource.isRequesting)
        #expect(resource.latestData == nil)
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A server that has gone ends in one error that a person understands`(_ transport: NetworkingKind) async throws
    {
        let server = try LoopbackServer { _ in }
        let url = server.url()
        server.stop()
        let resource = Service(baseURL: url, networking: transport.networking).resource("/x")
        await resource.load().completion()
        #expect(resource.latestError?.userMessage == "Could not connect to the server.")
    }

    @Test(arguments: NetworkingKind.allCases)
    func `A server that stops in mid-response ends in one error; data from before stays`(_ transport: NetworkingKind)
        async throws
    {
        let (first, halfSent) = (Gate(), Gate())
        let server = try LoopbackServer { exchange in
            if !first.isOpen {
                first.open()
                return try exchange.respond(headers: ["Content-Type: text/plain"], text: "before")
            }
            try exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nhalf")
            halfSent.open()
            exchange.waitForDisconnect()
        }
        let resource = Service(baseURL: server.url(), networking: transport.networking).resource("/x")
        await resource.load().completion()
        let request = resource.load()
        await halfSent.wait()
        server.stop()
        await request.completion()
        #expect(
            resource.latestError?.userMessage
                == "The connection to the server was lost before the response was complete.")
        #expect(resource.text == "before")
    }

    @Test(arguments: NetworkingKind.allCases)
    func `Requests cancelled at random moments each complete once, and nothing is left`(_ transport: NetworkingKind)
        async throws
    {
        let server = try LoopbackServer { exchange in
            try exchange.respond(headers: ["Content-Type: application/json"], text: #"{"a": [1, 2, 3]}"#)
        }
        weak var weakService: Service?
        do {
            let service = Service(baseURL: server.url(), networking: transport.networking)
            weakService = service
            let count = TestLevel.count(5, nightly: 20, soak: 100)
            var (random, completions, cancellations) = (SeededGenerator(seed: TestSeed.current), 0, 0)
            for _ in 0..<count {
                let requests = (0..<40).map { index in
                    service.resource("/item/\(index)").load().onCompletion { info in
                        completions += 1
                        if info.response.isCancellation { cancellations += 1 }
                    }
                }
                for request in requests where random.next() % 2 == 0 {
                    for _ in 0..<(random.next() % 4) { await mainQueueTurn() }
                    request.cancel()
                }
                for request in requests { await request.completion() }
            }
            #expect(completions == 40 * count)
            // How many cancellations come before their responses depends on the machine.
            if TestLevel.current >= .nightly { #expect(cancellations > 0) }
            #expect(service.resource("/item/0").isRequesting == false)
        }
        #expect(weakService == nil)
    }
}
