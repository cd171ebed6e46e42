#if os(Linux)
import Foundation
import LoopbackServer
import TestKit
import Testing
import Waiting

@testable import CurlTransport

/// HTTP/2 with nginx.
@Suite(
    .enabled(if: ChildProcess.program("nginx") != nil, "nginx is not installed"),
    .enabled(if: Certificates.isAvailable, "the openssl program is not installed"), .timeLimit(.test))
struct MultiplexTests {
    private let certificates: Certificates
    private let server: ServerProcess

    init() async throws {
        certificates = try await Certificates()
        let files = certificates.folder.appendingPathComponent("files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        try Data.pattern(20_000_000).write(to: files.appendingPathComponent("large"))
        server = try await ServerProcess.nginx(
            certificates,
            locations: """
                root files; dav_methods PUT; create_full_put_path on;
                location = /which { default_type text/plain; return 200 "$connection $server_protocol"; }
                location = /gone { return 302 /which; }
                """)
    }

    private func transport(_ change: (inout TransportOptions) -> Void = { _ in }) throws -> CurlTransport {
        try CurlTransport.fresh {
            $0.httpVersion = .http2OverTLS
            $0.unixSocket = server.socket
            $0.caFile = certificates.path("ca.pem")
            change(&$0)
        }
    }

    private func url(_ path: String) throws -> URL {
        try #require(URL(string: "https://localhost/\(path)"))
    }

    @Test func `Requests at the same time share one connection`() async throws {
        let (transport, url) = (try transport(), try url("which"))
        let answers = await withTaskGroup(of: Result<TransportResponse, TransportError>.self) { group in
            for _ in 0..<50 { group.addTask { await transport.get(url) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let texts = Set(answers.compactMap(\.text))
        #expect(texts.count == 1)
        #expect(texts.first?.hasSuffix("HTTP/2.0") == true)
        #expect(answers.compactMap { try? $0.get().metrics.httpVersion } == Array(repeating: "2", count: 50))
    }

    @Test func `Large bodies pass in both directions, to memory, to a consumer, and from a source`() async throws {
        let transport = try transport()
        let body = try Data(contentsOf: certificates.folder.appendingPathComponent("files/large"))
        #expect(try await transport.get(try url("large")).get().body == body)
        let recorder = Recorder()
        let response = try await transport.result(TransportRequest("GET", try url("large")), into: .consumer(recorder))
            .get()
        #expect(recorder.body == body)
        #expect(response.head.httpVersion == "1.1")
        #expect(await transport.get(try url("gone")).text?.hasSuffix("HTTP/2.0") == true)
    }

    @Test func `HTTP/1.1 can be asked for; HTTP/2 without TLS needs a libcurl that can do it`() async throws {
        let plain = try transport { $0.httpVersion = .http1 }
        #expect(await plain.get(try url("which")).text?.hasSuffix("HTTP/1.1") == true)
        let automatic = try transport { $0.httpVersion = .automatic }
        #expect(await automatic.get(try url("which")).text?.hasSuffix("HTTP/1.1") == true)
        if (CurlTransport.libraryVersion ?? "") < "8" {
            #expect(throws: TransportError.self) { try transport { $0.httpVersion = .http2 } }
        } else {
            let prior = try transport { $0.httpVersion = .http2 }
            #expect(await prior.get(try url("which")).text?.hasSuffix("HTTP/2.0") == true)
        }
    }

    @Test func `Cancels in the middle of a shared connection leave the others alone`() async throws {
        let (transport, url) = (try transport { $0.totalBodyBytes = 2 << 30 }, try url("large"))
        let kinds = await withTaskGroup(of: TransportError.Kind?.self) { group in
            for number in 0..<30 {
                group.addTask {
                    await transport.result(TransportRequest("GET", url)) { task in
                        guard number % 3 != 0 else { return }
                        Task {
                            try await Poll.until { task.progress.received > 0 }
                            task.cancel()
                        }
                    }.failureKind
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(kinds.count { $0 == nil } >= 10)
        #expect(kinds.allSatisfy { $0 == nil || $0 == .cancelled })
    }
}
#endif
