#if os(Linux)
import Foundation
import LoopbackServer
import Testing
import Waiting

/// Certificates of a private authority, created by the `openssl` program in a temporary folder.
final class Certificates: Sendable {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    /// True if the `openssl` program is installed.
    static let isAvailable = ChildProcess.program("openssl") != nil

    init() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await openssl("req -x509 \(Self.key) -nodes -keyout ca.key -out ca.pem -subj /CN=Authority -days 2")
        try await issue("localhost", names: "DNS:localhost,IP:127.0.0.1")
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Creates `name.pem` and `name.key` for these host names. They are valid for `days` days; if negative, they have
    /// expired.
    func issue(_ name: String, names: String, days: Int = 2, password: String? = nil) async throws {
        let protection = password.map { "-passout pass:\($0)" } ?? "-nodes"
        try await openssl("req \(Self.key) \(protection) -keyout \(name).key -out \(name).csr -subj /CN=\(name)")
        try Data("subjectAltName=\(names)\n".utf8).write(to: folder.appendingPathComponent("\(name).ext"))
        try await openssl(
            "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -extfile \(name).ext -days \(days) -out \(name).pem")
    }

    /// Returns the path of a file, such as `ca.pem`.
    func path(_ file: String) -> String {
        folder.appendingPathComponent(file).path
    }

    /// Returns the hash of a certificate's public key in the form for pinning.
    func pin(_ name: String) async throws -> String {
        let command = """
            cd \(folder.path) && openssl x509 -in \(name).pem -noout -pubkey | openssl pkey -pubin -outform der |
            openssl dgst -sha256 -binary | openssl base64 -A
            """
        return "sha256//" + String(decoding: try await ChildProcess.output(of: command), as: UTF8.self)
    }

    private func openssl(_ arguments: String) async throws {
        _ = try await ChildProcess.output(of: "cd \(folder.path) && openssl \(arguments)")
    }

    private static let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1"
}

/// An independent server program on a Unix socket. Its process ends when this value is released.
final class ServerProcess: Sendable {
    /// The path of the socket.
    let socket: String

    private let process: ChildProcess

    /// Starts a program and waits until it listens. `arguments` receives the path of the socket.
    convenience init(_ program: String, _ arguments: (String) throws -> [String]) async throws {
        try await self.init(at: try #require(ChildProcess.program(program)), arguments)
    }

    /// Does the same for a program at a path.
    init(at program: String, _ arguments: (String) throws -> [String]) async throws {
        socket = "/tmp/\(UUID().uuidString.prefix(12)).socket"  // openssl accepts at most 31 bytes
        process = try ChildProcess(program, try arguments(socket))
        try await Poll.until { isReady || !process.isRunning }
        try #require(process.isRunning, "\(program) does not start")
    }

    /// True if the server accepts clients. A socket file exists before its server listens, and clients are refused in
    /// between. The system marks listening sockets with a flag. A plain file indicates that a port is listening.
    private var isReady: Bool {
        var status = stat()
        guard stat(socket, &status) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFSOCK else { return true }
        return SystemFile.lines(of: "/proc/net/unix").contains {
            $0.contains(" 00010000 ") && $0.hasSuffix(" " + socket)
        }
    }

    /// Makes nginx reload its configuration. It closes idle connections at once, and the others when their requests are
    /// complete.
    func reload() {
        kill(process.identifier, SIGHUP)
    }

    deinit {
        kill(process.identifier, SIGTERM)
        _ = process.wait()
        unlink(socket)
    }

    /// The server of the `openssl` program. It responds to every request with a page, one connection after the other.
    static func openssl(
        _ certificates: Certificates, _ name: String, _ more: [String] = []
    ) async throws -> ServerProcess {
        try await ServerProcess("openssl") { socket in
            [
                "s_server", "-unix", socket, "-cert", certificates.path("\(name).pem"), "-key",
                certificates.path("\(name).key"), "-www", "-quiet",
            ] + more
        }
    }

    /// nginx with the certificate for localhost, HTTP/2, and some locations.
    static func nginx(_ certificates: Certificates, locations: String) async throws -> ServerProcess {
        try await ServerProcess("nginx") { socket in
            let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \($0);" }
            let configuration = """
                daemon off; pid nginx.pid; error_log stderr; worker_processes 1; \(getuid() == 0 ? "user root;" : "")
                events { worker_connections 1000; }
                http {
                    access_log off; client_max_body_size 0; \(temporary.joined(separator: " "))
                    server {
                        listen unix:\(socket) ssl http2;
                        ssl_certificate \(certificates.path("localhost.pem"));
                        ssl_certificate_key \(certificates.path("localhost.key"));
                        \(locations)
                    }
                }
                """
            try Data(configuration.utf8).write(to: certificates.folder.appendingPathComponent("nginx.conf"))
            return ["-p", certificates.folder.path, "-c", "nginx.conf", "-e", "stderr"]
        }
    }
}
#endif
