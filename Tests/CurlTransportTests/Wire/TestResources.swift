#if os(Linux)
import Isolation
import Foundation
import LoopbackServer
import Testing

@testable import CurlTransport

/// Exchanges of a transport beside the one that a test is about.
///
/// When ``pass()`` returns, the thread of the transport has run at least twice. It has then read all bytes that had
/// arrived before, and knows of every source and consumer that was ready before.
final class OtherTraffic: Sendable {
    private let server: LoopbackServer
    private let transport: CurlTransport

    init(of transport: CurlTransport) throws {
        server = try LoopbackServer { try $0.respond() }
        self.transport = transport
    }

    /// Makes two exchanges, one after the other.
    func pass() async throws {
        for _ in 0..<2 { try #require(await transport.get(server.url()).status == 200) }
    }

    /// Does the same, and blocks the thread of a script until they are complete.
    func blockWhilePassing() {
        let ended = Gate()
        transport.start(TransportRequest("GET", server.url())) { [transport, server] _ in
            transport.start(TransportRequest("GET", server.url())) { _ in ended.open() }
        }
        ended.block(orUntil: ended)
    }
}

/// A consumer that takes each piece only after other exchanges of the transport, so that the transport must wait for
/// it.
final class SlowConsumer: BodyConsumer {
    private let bytes = Locked(Data())
    private let traffic: OtherTraffic

    init(of transport: CurlTransport) throws {
        traffic = try OtherTraffic(of: transport)
    }

    var taken: Data { bytes.withLock { $0 } }

    func consume(_ piece: Data) async throws {
        for _ in 0..<5 { try await traffic.pass() }
        bytes.withLock { $0 += piece }
    }
}

/// The resources that the process uses.
enum ProcessMemory {
    /// The resident memory, in bytes.
    static var resident: Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (fields.flatMap { Int($0[1]) } ?? 0) * 4096
    }

    /// The number of open descriptors.
    static var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

extension Data {
    /// Returns bytes that repeat a block whose length is a prime number, so that a test notices every missing, repeated
    /// or moved byte.
    static func pattern(_ count: Int) -> Data {
        let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        var data = Data(capacity: count + block.count)
        while data.count < count {
            data.append(block)
        }
        return Data(data.prefix(count))
    }
}
#endif
