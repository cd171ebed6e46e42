#if os(Linux)
import Foundation
import Testing
import Waiting

@testable import CurlTransport

/// A TLS server for `localhost` in Python. Its process logs the requests that it reads, and marks events with files.
final class PythonServer: Sendable {
    let process: ServerProcess
    let port: Int
    private let folder: String
    private let certificates: Certificates  // keeps their files

    /// Starts a program that defines `serve(connection, number)` for each connection. The program may use `script`,
    /// `context`, `log` and `mark`. It listens at a Unix socket if the script has the value `unixSocket` for `way`.
    init(_ certificates: Certificates, at python: String?, script: some Encodable, _ program: String) async throws {
        let folder = certificates.path(UUID().uuidString)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try JSONEncoder().encode(script).write(to: URL(fileURLWithPath: folder + "/script"))
        process = try await ServerProcess(at: try #require(python)) { place in
            let parts = [Self.definitions, program, Self.listening]
            return ["-c", parts.joined(separator: "\n"), place, folder, certificates.path("localhost")]
        }
        port = Int((try? String(contentsOfFile: folder + "/port", encoding: .utf8)) ?? "") ?? 0
        self.certificates = certificates
        self.folder = folder
    }

    func url(_ path: String) throws -> URL { try #require(URL(string: "https://localhost:\(port)\(path)")) }

    /// Returns a transport that reaches the server and trusts it.
    func transport(_ change: (inout TransportOptions) -> Void) throws -> CurlTransport {
        try CurlTransport.fresh {
            $0.caFile = certificates.path("ca.pem")
            $0.hostOverrides = ["localhost:\(port)": "127.0.0.1"]
            change(&$0)
        }
    }

    /// The lines that the program has logged.
    var log: [String] {
        SystemFile.lines(of: path("log")).map { String($0) }
    }

    /// Returns the path of a file that the test and the program share.
    func path(_ name: String) -> String { folder + "/" + name }

    /// Polls until the program has marked this event.
    func wait(for name: String) async throws { try await Poll.until { access(path(name), F_OK) == 0 } }

    private static let definitions = #"""
        import itertools, json, os, socket, ssl, sys, threading

        place, folder, certificate = sys.argv[1:]
        script = json.load(open(folder + "/script"))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate + ".pem", certificate + ".key")
        lock = threading.Lock()

        def log(line):
            with lock, open(folder + "/log", "a") as file: file.write(line + "\n")

        def mark(name): open(folder + "/" + name, "w").close()
        """#

    private static let listening = #"""
        if script.get("way") == "unixSocket":
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(place)
            listener.listen(100)
        else:
            listener = socket.create_server(("127.0.0.1", 0), backlog=100)
            open(folder + "/port", "w").write(str(listener.getsockname()[1]))
            open(place, "w").close()
        for number in itertools.count():
            threading.Thread(target=serve, args=(listener.accept()[0], number), daemon=True).start()
        """#
}
#endif
