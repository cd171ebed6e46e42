import Foundation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import SiestaTransfers
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests to a server that a circuit breaker regards as down.
@MainActor @Suite(.timeLimit(.test))
struct CircuitBreakerTests {
    private func trying(failures: Int, _ configure: @escaping (inout Configuration) -> Void = { _ in }) -> TryingService
    {
        TryingService {
            $0.pacing.failureLimit = failures
            $0.pacing.failurePause = 10
            configure(&$0)
        }
    }

    /// Returns true if a new load is sent, and answers it.
    private func sends(_ trying: TryingService, _ answer: StubAnswer) async throws -> Bool {
        let count = trying.sentCount
        trying.network.handler = { _ in answer }
        _ = try await trying.completion(of: trying.resource.load())
        return trying.sentCount > count
    }

    @Test func `Connection errors and statuses of 500 and more are failures, other statuses are not`() async throws {
        for answer in [StubAnswer.failure(.cannotConnectToHost), .failure(.timedOut), .response(500), .response(599)] {
            let trying = trying(failures: 2)
            for isSent in [true, true, false] { #expect(try await sends(trying, answer) == isSent) }
        }
        for answer in [StubAnswer.response(404), .response(499), .text("a")] {
            let trying = trying(failures: 2)
            for _ in 0..<4 { #expect(try await sends(trying, answer)) }
            for next in [.response(500), answer, .response(500), answer] { #expect(try await sends(trying, next)) }
        }
    }

    @Test(arguments: [true, false])
    func `A cancelled request says nothing about the server`(_ isCancelledByNetwork: Bool) async throws {
        let trying = trying(failures: 2)
        #expect(try await sends(trying, .response(500)))
        trying.network.handler = { _ in .held }
        let load = trying.resource.load()
        if isCancelledByNetwork { trying.network.lastExchange?.cancel() } else { load.cancel() }
        _ = try await trying.completion(of: load)
        #expect(try await sends(trying, .response(500)))
        #expect(try await !sends(trying, .response(500)))
    }

    @Test func `A retry that the circuit breaker refuses has the error of the last attempt`() async throws {
        let trying = trying(failures: 1) { $0.retry = .standard }
        trying.network.handler = { _ in .response(503) }
        let load = trying.resource.load()
        await trying.pass(1)
        let info = try await trying.completion(of: load)
        #expect(info.failure?.httpStatusCode == 503)
        #expect(trying.sentCount == 1)
        #expect(try await !sends(trying, .text("a")))
        #expect(trying.resource.latestError?.code == .serverUnavailable)
    }

    @Test(arguments: [true, false])
    func `The head of a download or a stream decides as a probe, and its body counts afterwards`(
        _ isDownload: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let trying = trying(failures: 1)
        #expect(try await sends(trying, .response(500)))
        await trying.pass(10.05)
        trying.network.handler = { _ in .stream() }
        let long = trying.service.resource("/long")
        let reading = long.reading(into: isDownload ? folder.url.appendingPathComponent("file") : nil)
        let probe = try await trying.network.exchange(2)
        probe.send("a")
        try await probe.delivered()
        #expect(try await sends(trying, .text("a")))
        probe.fail(.networkConnectionLost)
        _ = await reading.result
        #expect(try await !sends(trying, .text("a")))
    }

    @Test func `A cancelled older request starts no second probe`() async throws {
        let trying = trying(failures: 1)
        trying.network.handler = { _ in .held }
        let old = trying.service.resource("/old").load()
        #expect(try await sends(trying, .response(500)))
        await trying.pass(10.05)
        trying.network.handler = { _ in .held }
        let probe = trying.service.resource("/probe").load()
        #expect(trying.sentCount == 3)
        old.cancel()
        #expect(try await !sends(trying, .text("a")))
        trying.network.lastExchange?.respond(with: .text("a"))
        _ = try await trying.completion(of: probe)
        #expect(try await sends(trying, .text("a")))
    }

    @Test func `A missing network is no failure of the server`() async throws {
        let trying = trying(failures: 1) { $0.offline = .wait(upTo: 60) }
        let status = trying.status
        trying.network.handler = { _ in status.isConnected ? .text("a") : .failure(.cannotConnectToHost) }
        status.isConnected = false
        let load = trying.resource.load()
        await trying.pass(5)
        #expect(trying.resource.retry?.reason == .offline)
        status.isConnected = true
        await trying.pass(1)
        #expect(load.isCompleted)
        #expect(trying.resource.latestError == nil)
        #expect(trying.sentCount == 2)
    }
}

extension Resource {
    /// Downloads the resource into a file, or reads its bytes if there is none.
    @MainActor
    func reading(into file: URL?) -> Task<Void, any Error> {
        Task {
            if let file {
                await download(to: file).completion()
            } else {
                for try await _ in bytes {}
            }
        }
    }
}
