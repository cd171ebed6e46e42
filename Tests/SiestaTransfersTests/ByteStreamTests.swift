import Dispatch
import Foundation
import Isolation
import TestKit
import Testing
import Waiting

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The pieces of one response between the network and its consumer.
@Suite(.timeLimit(.test))
struct ByteStreamTests {
    /// An error of the app, which calls a closure when it is released.
    private final class Cause: Error {
        let onRelease: @Sendable () -> Void

        init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

        deinit { onRelease() }
    }

    @Test func `An error that abandoning replaces is released without the lock, which its deinitialiser may take`()
        async throws
    {
        let stream = ByteStream {}
        let url = try #require(URL(string: "http://a.test/"))
        let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        try await stream.begin(response)
        async let receiving: Void = stream.receive(Data("x".utf8))
        let wasFree = Locked<Bool?>(nil)
        stream.end(
            .failure(
                RequestError(
                    userMessage: "",
                    cause: Cause {
                        let isFree = DispatchSemaphore(value: 0)
                        DispatchQueue.global().async {
                            _ = stream.refusal(nil)
                            isFree.signal()
                        }
                        let result = isFree.wait(timeout: .now() + 60) == .success
                        wasFree.withLock { $0 = result }
                    })))
        try await Poll.until { stream.hasPiece }
        stream.abandon()
        try await receiving
        #expect(wasFree.withLock { $0 } == true)
    }

    @MainActor @Test func `A loop lets other work of its actor run, even if a piece always waits`() async throws {
        let stream = ByteStream {}
        let url = try #require(URL(string: "http://a.test/"))
        let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        try await stream.begin(response)
        let producer = Task.detached { for _ in 0..<100 { try await stream.receive(Data("x".utf8)) } }
        let other = Task {
            var turns = 0
            while !Task.isCancelled {
                turns += 1
                await Task.yield()
            }
            return turns
        }
        for _ in 0..<100 {
            while !stream.hasPiece {}  // The network is faster than the loop.
            #expect(try await stream.next() == Data("x".utf8))
        }
        other.cancel()
        #expect(await other.value >= 10)
        try await producer.value
    }
}
