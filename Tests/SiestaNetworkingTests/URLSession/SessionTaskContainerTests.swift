import Foundation
import LoopbackServer
import SiestaCore
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor @Suite(.timeLimit(.test))
struct SessionTaskContainerTests {
    @Test func `A task is all that a conforming type has to give`() throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let networking = Minimal(task: session.dataTask(with: URLRequest(posting: Data("body".utf8), to: url)))
        #expect(
            networking.transferMetrics
                == RequestTransferMetrics(
                    requestBytesSent: 0, requestBytesTotal: 4, responseBytesReceived: 0, responseBytesTotal: nil))
        networking.cancel()
        #expect(networking.task.state == .canceling || networking.task.state == .completed)
    }

    @Test func `A conforming type may cancel in its own way`() throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let cancelled = Gate()
        let networking: any RequestNetworking = Own(task: session.dataTask(with: url), cancelled: cancelled)
        networking.cancel()
        #expect(cancelled.isOpen)
    }

    private struct Minimal: SessionTaskContainer {
        let task: URLSessionTask
    }

    private struct Own: RequestNetworking, SessionTaskContainer {
        let task: URLSessionTask
        let cancelled: Gate

        func cancel() {
            cancelled.open()
        }
    }
}
