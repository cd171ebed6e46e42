#if os(Linux)
import Foundation
import LoopbackServer
import TestDoubles
import Testing
import Waiting

/// nginx as an origin server, on a Unix socket. It ends when this object is released.
///
/// | path | response |
/// |---|---|
/// | `/controlled/CONTROL/FILE` | the file, with `CONTROL` as its `Cache-Control` |
/// | `/translated/CONTROL/FILE` | the file `FILE.de` or `FILE.en`, by `Accept-Language`, with `Vary` |
/// | `/found/TARGET`, `/moved/TARGET` | a redirect (302 or 301) to `/TARGET` |
/// | `/found/CONTROL/TARGET`, `/moved/CONTROL/TARGET` | the redirect, with `CONTROL` as its `Cache-Control` |
final class OriginServer: Sendable {
    /// The path of the socket.
    let socket: String

    private let folder: TemporaryFolder
    private let process: ChildProcess

    init() async throws {
        folder = try TemporaryFolder()
        socket = folder.url.appendingPathComponent("origin.socket").path
        let configuration = try folder.file("nginx.conf", Data(Self.configuration(socket: socket).utf8))
        let program: String = try #require(ChildProcess.program("nginx"))
        process = try ChildProcess(program, ["-p", folder.url.path, "-c", configuration.path, "-e", "stderr"])
        try await Poll.until { isListening || !process.isRunning }
        try #require(isListening, "nginx does not start")
    }

    deinit {
        stop()
    }

    private var isListening: Bool {
        guard let client = try? Socket.connected(to: .unix(path: socket)) else { return false }
        client.close()
        return true
    }

    /// Ends the server, and waits for its end.
    func stop() {
        process.stop()
    }

    /// Creates or replaces a file. The entity tag depends on the length of the text.
    func write(_ text: String, to name: String) throws {
        _ = try folder.file(name, Data(text.utf8))
    }

    /// Returns the statuses of the responses for a path. nginx logs a response after it has sent it. Therefore, this
    /// function waits until the log contains `count` responses, but at most ten seconds.
    func statuses(_ path: String, count: Int) async throws -> [Int] {
        let end = ContinuousClock.now + .seconds(10)
        var statuses: [Int] = []
        try await Poll.until {
            statuses = try loggedStatuses(path)
            return statuses.count >= count || ContinuousClock.now > end
        }
        return statuses
    }

    private func loggedStatuses(_ path: String) throws -> [Int] {
        let log = try String(contentsOf: folder.url.appendingPathComponent("requests.log"), encoding: .utf8)
        return log.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ")
            return parts.first == path[...] ? Int(parts[1]) : nil
        }
    }

    private static func configuration(socket: String) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \($0);" }
        return """
            daemon off; pid nginx.pid; worker_processes 1; \(getuid() == 0 ? "user root;" : "")
            events { worker_connections 100; }
            http {
                log_format request '$request_uri $status';
                access_log requests.log request;
                \(temporary.joined(separator: " "))
                default_type text/plain;
                absolute_redirect off;
                map $http_accept_language $language { default en; ~^de de; }
                server {
                    listen unix:\(socket);
                    root .;
                    add_header Cache-Control $control;
                    location ~ "^/controlled/(?<control>[^/]+)/(?<name>[^/]+)$" { try_files /$name =404; }
                    location ~ "^/translated/(?<control>[^/]+)/(?<name>[^/]+)$" {
                        add_header Cache-Control $control;
                        add_header Vary Accept-Language;
                        try_files /$name.$language =404;
                    }
                    location ~ "^/found/((?<control>[^/]+=[^/]+)/)?(?<target>controlled/.+)$" { return 302 /$target; }
                    location ~ "^/moved/((?<control>[^/]+=[^/]+)/)?(?<target>controlled/.+)$" { return 301 /$target; }
                }
            }
            """
    }
}
#endif
