#if os(Linux)
import CurlTransport
import Foundation
import FoundationNetworking

/// What is asked of a server, and by how many requests at a time.
struct Workload: Sendable {
    let name: String
    let url: URL
    /// The length of each body, decoded.
    let bytes: Int
    let inFlight: Int
    var caFile: String?
    var unixSocket: String?
    /// Whether `wrk` can do the same.
    var isPlain: Bool { caFile == nil && unixSocket == nil && bytes < 1 << 20 && !name.contains("gzip") }

    /// As many connections as requests, but no more than a client would be given.
    private var connections: Int { min(inFlight, 64) }

    var transportOptions: TransportOptions {
        var options = TransportOptions()
        options.connectionsPerHost = connections
        options.caFile = caFile
        options.bodyBytes = 256 << 20  // one of the bodies has 100 MB
        if caFile != nil { options.httpVersion = .http2OverTLS }
        options.unixSocket = unixSocket
        return options
    }

    var sessionConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil  // With one, FoundationNetworking may end the process when a task is cancelled.
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = connections
        return configuration
    }

    /// The rows of the table, for a server as `Benchmarks/transport` starts it.
    static func all(_ server: Server) -> [Workload] {
        func plain(_ name: String, _ path: String, _ bytes: Int, _ inFlight: Int) -> Workload {
            Workload(name: name, url: server.plain.appendingPathComponent(path), bytes: bytes, inFlight: inFlight)
        }
        var secure = Workload(
            name: multiplexed, url: server.secure.appendingPathComponent("1k"), bytes: 1 << 10,
            inFlight: 16)
        secure.caFile = server.caFile
        var local = plain("1 KB ×16, Unix socket", "1k", 1 << 10, 16)
        local.unixSocket = server.unixSocket
        return [
            plain("1 KB ×1", "1k", 1 << 10, 1), plain(central, "1k", 1 << 10, 16),
            plain("1 KB ×256", "1k", 1 << 10, 256), plain(large, "64k", 64 << 10, 16),
            plain("64 KB of text in gzip ×16", "text", 64 << 10, 16), secure, local,
            plain("100 MB ×1", "100m", 100_000_000, 1),
        ]
    }

    /// The row that most targets are about.
    static let central = "1 KB ×16"
    static let large = "64 KB ×16"
    static let multiplexed = "1 KB ×16, TLS, HTTP/2"

    /// The least rate of `Resource.load()`, as a part of the rate of libcurl in C.
    static let leastLoads = [(central, 0.9), (large, 0.85), (multiplexed, 0.75)]

    /// Whether a target rests on this workload, which is therefore measured in more rounds.
    var hasTarget: Bool { Self.leastLoads.contains { $0.0 == name } }
}

/// Where a server is that has the files which the workloads ask for.
struct Server {
    let plain: URL
    let secure: URL
    let caFile: String
    let unixSocket: String
}
#endif
