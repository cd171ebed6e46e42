import Dispatch
import Foundation
import Isolation

import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

/// The threads on which responses are parsed.
@MainActor @Suite(.timeLimit(.test))
struct NetworkResponseProcessingTests {
    struct Costly: CustomTestStringConvertible {
        let status: Int
        let contentType: String
        var isContent = false

        var testDescription: String { "\(status) \(contentType.prefix(40))" }
    }

    nonisolated static let costly = [
        Costly(status: 403, contentType: "application/problem+json"),
        Costly(status: 500, contentType: "Application/PROBLEM+json ; charset=utf-8"),
        Costly(status: 302, contentType: "application/problem+json", isContent: true),
        Costly(status: 200, contentType: "text/plain; a=\(String(repeating: "\"a;b\";", count: 10_000))"),
        Costly(status: 404, contentType: String(repeating: "x", count: 257)),
    ]

    @Test(arguments: costly)
    func `Nothing is parsed on the thread of the transport`(_ costly: Costly) async {
        let key = DispatchSpecificKey<Bool>()
        let transport = DispatchQueue(label: "transport")
        transport.setSpecific(key: key, value: true)
        let isDelayed = Locked(false)
        // Creating an entity or an error reads the clock. Therefore the clock shows on which thread it happens.
        let clock = SiestaClock(
            wallTime: {
                if DispatchQueue.getSpecific(key: key) == true { isDelayed.withLock { $0 = true } }
                return 0
            }, monotonicTime: { 0 }, schedule: { _, _ in })
        let head = NetworkResponse.Head(
            status: costly.status, fields: HeaderFields(["Content-Type": costly.contentType]))
        let response = NetworkResponse(head: head, body: Data("{}".utf8))
        let processing = ResponseProcessing(Pipeline())
        await withCheckedContinuation { continuation in
            transport.async {
                clock.whileCurrent {
                    response.process(processing, isContent: costly.isContent) { _, _ in continuation.resume() }
                }
            }
        }
        #expect(!isDelayed.withLock { $0 })
    }

    @Test func `Problem details are read off the main thread, too, where a refusal comes from a stream`() async {
        let places = Locked<[Bool]>([])
        let clock = SiestaClock(
            wallTime: {
                places.withLock { $0.append(MainQueue.isCurrent) }
                return 0
            }, monotonicTime: { 0 }, schedule: { _, _ in })
        let fields = HeaderFields(["Content-Type": "application/problem+json"])
        let refusal = NetworkResponse(
            head: NetworkResponse.Head(status: 403, fields: fields), body: Data(#"{"detail": "No"}"#.utf8))
        let response = await withCheckedContinuation { continuation in
            clock.whileCurrent {
                refusal.process(ResponseProcessing(Pipeline()), isContent: true) { info, _ in
                    continuation.resume(returning: UncheckedSendable(info.response))
                }
            }
        }
        #expect(response.value.failure?.userMessage == "No")
        #expect(places.withLock { !$0.isEmpty && $0.allSatisfy { !$0 } })
    }
}
