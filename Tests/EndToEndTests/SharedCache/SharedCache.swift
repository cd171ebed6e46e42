#if os(Linux)
import Foundation
import LoopbackServer
import TestDoubles
import Testing
import Waiting

/// Varnish as a shared cache in front of an origin server, on a loopback port. It ends when this object is released.
///
/// It serves stale responses only if their `Cache-Control` contains `stale-while-revalidate`. It keeps stale responses,
/// and confirms them at the origin.
final class SharedCache: Sendable {
    /// The URL of the cache, without a slash at its end.
    let address: String

    let origin: OriginServer
    private let folder: TemporaryFolder
    private let process: ChildProcess

    /// True if the programs are installed.
    static let isInstalled = ["nginx", "varnishd"].allSatisfy { ChildProcess.program($0) != nil }

    /// Starts an origin server, and a cache in front of it.
    init() async throws {
        (origin, folder) = (try await OriginServer(), try TemporaryFolder())
        let configuration = try folder.file(
            "cache.vcl", Data("vcl 4.1; backend origin { .path = \"\(origin.socket)\"; }".utf8))
        let free = try Socket.listening()
        let port = try free.port
        free.close()
        address = "http://127.0.0.1:\(port)"
        let program: String = try #require(ChildProcess.program("varnishd"))
        process = try ChildProcess(
            program,
            [
                "-F", "-j", "none", "-n", folder.url.appendingPathComponent("state").path, "-a", "127.0.0.1:\(port)",
                "-f", configuration.path, "-s", "malloc,16m", "-p", "default_grace=0", "-p", "default_keep=600",
            ])
        try await Poll.until { Self.isListening(port) || !process.isRunning }
        try #require(process.isRunning, "Varnish does not start")
    }

    deinit {
        stop()
    }

    private static func isListening(_ port: UInt16) -> Bool {
        guard let client = try? Socket.connected(to: .ipv4(port: port)) else { return false }
        client.close()
        return true
    }

    /// Ends the cache, and waits for its end. The origin server stays.
    func stop() {
        process.stop()
    }

    // MARK: The cache of a suite

    /// The cache that the tests of a suite share.
    @TaskLocal static var ofSuite: SharedCache?

    /// Starts a cache before the first test of a suite. It ends after the last test.
    struct Scope: SuiteTrait, TestScoping {
        func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            try await SharedCache.$ofSuite.withValue(try await SharedCache(), operation: function)
        }
    }
}
#endif
