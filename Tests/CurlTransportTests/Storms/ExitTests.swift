#if os(Linux)
import Foundation
import LoopbackServer
import TestKit
import Testing

@testable import CurlTransport

/// Counts the exchanges of a process that ends. It is global because an exit handler can capture nothing.
private let completions = DispatchSemaphore(value: 0)

/// Processes that end while exchanges are running.
@Suite(
    .enabled(if: ChildProcess.program("nginx") != nil, "nginx is not installed"),
    .enabled(if: Certificates.isAvailable, "the openssl program is not installed"), .timeLimit(.model))
struct ExitTests {
    @Test func `A process may exit while exchanges over TLS are under way, without a crash`() async throws {
        let certificates = try await Certificates()
        let files = certificates.folder.appendingPathComponent("files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        try Data(count: 200_000).write(to: files.appendingPathComponent("large"))
        let server = try await ServerProcess.nginx(certificates, locations: "root files; keepalive_timeout 0;")
        setenv("TRANSPORT_TEST_SOCKET", server.socket, 1)  // exit tests inherit only the environment
        setenv("TRANSPORT_TEST_CA", certificates.path("ca.pem"), 1)
        let count = TestLevel.count(2, nightly: 5, soak: 200)
        for _ in 0..<count {
            await #expect(processExitsWith: .exitCode(7)) {
                // Runs last: all cleanup is done, and exchanges go on.
                atexit {
                    while completions.wait(timeout: .now()) == .success {}  // earlier ones do not count
                    for _ in 0..<50 { completions.wait() }
                }
                let environment = ProcessInfo.processInfo.environment
                let url = try #require(URL(string: "https://localhost/large"))
                let arrivals = Arrivals()
                for version in [TransportOptions.HTTPVersion.automatic, .http1] {
                    let transport = try CurlTransport.fresh {
                        $0.unixSocket = environment["TRANSPORT_TEST_SOCKET"]
                        $0.caFile = environment["TRANSPORT_TEST_CA"]
                        $0.httpVersion = version
                    }
                    for _ in 0..<20 {
                        @Sendable func load() {
                            transport.start(TransportRequest("GET", url)) { result in
                                if result.status == 200 { arrivals.arrive() }
                                completions.signal()
                                load()
                            }
                        }
                        load()
                    }
                }
                for _ in 0..<10 { await arrivals.next() }
                exit(7)
            }
        }
        TestLevel.report("exits with TLS in flight: \(count), none of them a crash")
    }
}
#endif
