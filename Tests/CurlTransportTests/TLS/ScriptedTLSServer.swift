#if os(Linux)
import Foundation
import LoopbackServer
import Testing

@testable import CurlTransport

/// A TLS server in Python that sends the records of a script and logs the requests that it reads.
///
/// The response to a request that is not in the script has the path of the request as its body.
final class ScriptedTLSServer: Sendable {
    /// An action of the server after it has read a request.
    enum Step: Sendable, Encodable {
        /// Sends text as one record.
        case send(String)
        /// Waits for ``happen(_:)``.
        case wait(String)
        /// Ends the wait of ``wait(for:)``.
        case mark(String)
        /// Sends a frame of HTTP/2 (PING) without a request.
        case ping
        /// Closes the connection; a mark may follow.
        case close
        /// Ends TLS, and leaves the connection open.
        case endTLS
        /// Ends the next connection in its handshake. The steps of this path are not performed again.
        case cutNext

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .send(let text): try container.encode(["send", text])
            case .wait(let name): try container.encode(["wait", name])
            case .mark(let name): try container.encode(["mark", name])
            case .ping: try container.encode(["ping", ""])
            case .close: try container.encode(["close", ""])
            case .endTLS: try container.encode(["endTLS", ""])
            case .cutNext: try container.encode(["cutNext", ""])
            }
        }
    }

    /// The route of clients to the server.
    enum Way: String, Sendable, CaseIterable {
        case port, unixSocket, tunnel
    }

    private struct Script: Encodable {
        var way: String
        var steps: [String: [Step]]
        var skipsBody: Bool
        var speaksHTTP2: Bool
    }

    private let server: PythonServer
    private let way: Way

    static let isAvailable = ChildProcess.program("python3") != nil

    /// Starts a server that performs `steps` for requests with their paths. If `skipsBody` is true, it does so before
    /// it reads the body of the request.
    init(
        _ certificates: Certificates, _ way: Way = .port, skipsBody: Bool = false, speaksHTTP2: Bool = false,
        steps: [String: [Step]] = [:]
    ) async throws {
        let script = Script(way: way.rawValue, steps: steps, skipsBody: skipsBody, speaksHTTP2: speaksHTTP2)
        server = try await PythonServer(
            certificates, at: ChildProcess.program("python3"), script: script, Self.program)
        self.way = way
    }

    var port: Int { server.port }

    /// Returns the URL of a path.
    func url(_ path: String) throws -> URL {
        way == .tunnel ? try #require(URL(string: "https://localhost\(path)")) : try server.url(path)
    }

    /// Returns a transport that reaches the server and trusts it.
    func transport(_ change: (inout TransportOptions) -> Void = { _ in }) throws -> CurlTransport {
        let proxy = try #require(URL(string: "http://127.0.0.1:\(port)"))
        return try server.transport {
            if way == .unixSocket { $0.unixSocket = server.process.socket }
            if way == .tunnel {
                $0.proxy = .url(proxy)
                $0.noProxy = ["nobody.invalid"]
            }
            change(&$0)
        }
    }

    /// The methods and paths of the requests whose heads the server has read.
    var requests: [String] { server.log }

    /// Ends the server's wait for this event.
    func happen(_ name: String) {
        _ = FileManager.default.createFile(atPath: server.path(name), contents: nil)
        try? FileHandle(forWritingTo: URL(fileURLWithPath: server.path("wake"))).write(contentsOf: Data("\n".utf8))
    }

    /// Resets this event, so that the server and the test wait for it again.
    func undo(_ name: String) { unlink(server.path(name)) }

    /// Polls until the server has reached this event.
    func wait(for name: String) async throws { try await server.wait(for: name) }

    private static let program = #"""
        context.set_alpn_protocols(["h2"] if script["speaksHTTP2"] else ["http/1.1"])
        changed = threading.Condition()
        cuts = 0

        def perform(connection, path):
            global cuts
            for what, text in list(script["steps"][path]):
                if what == "send":
                    try: connection.sendall(text.encode())
                    except OSError: pass  # The client may have closed the connection after the previous record.
                elif what == "mark": mark(text)
                elif what == "ping": connection.sendall(frame(6, 0, 0, bytes(8)))
                elif what == "close": connection.close()
                elif what == "cutNext":
                    cuts += 1
                    del script["steps"][path]
                elif what == "endTLS":
                    connection.settimeout(0)
                    try: connection.unwrap()
                    except (OSError, ValueError): connection.settimeout(None)
                else:
                    with changed: changed.wait_for(lambda: os.path.exists(folder + "/" + text))

        def listen_for_events():
            with open(folder + "/wake", "r+b", 0) as pipe:
                while pipe.read(1):
                    with changed: changed.notify_all()

        os.mkfifo(folder + "/wake")
        threading.Thread(target=listen_for_events, daemon=True).start()

        class Reader:
            def __init__(self, connection): self.connection, self.bytes = connection, b""
            def fill(self):
                piece = self.connection.recv(65536)
                if not piece: raise EOFError
                self.bytes += piece
            def until(self, end):
                while end not in self.bytes: self.fill()
                head, self.bytes = self.bytes.split(end, 1)
                return head.decode()
            def take(self, size):
                while len(self.bytes) < size: self.fill()
                piece, self.bytes = self.bytes[:size], self.bytes[size:]
                return piece

        def serve_requests(connection):
            reader = Reader(connection)
            while True:
                head = reader.until(b"\r\n\r\n")
                method, path = head.split(" ")[:2]
                log(method + " " + path)
                fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:])
                if not (script["skipsBody"] and path in script["steps"]):
                    if "transfer-encoding" in fields: reader.until(b"0\r\n\r\n")
                    reader.take(int(fields.get("content-length", 0)))
                if path in script["steps"]: perform(connection, path)
                else: connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {len(path)}\r\n\r\n{path}".encode())

        def frame(kind, flags, stream, payload):
            return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload

        def serve_streams(connection, number):
            reader = Reader(connection)
            reader.take(24)
            connection.sendall(frame(4, 0, 0, b""))
            while True:
                header = reader.take(9)
                payload = reader.take(int.from_bytes(header[:3], "big"))
                kind, stream = header[3], int.from_bytes(header[5:9], "big")
                if kind == 4 and header[4] == 0: connection.sendall(frame(4, 1, 0, b""))
                if kind == 6: log("PING")
                if kind != 1: continue
                log("STREAM")
                connection.sendall(frame(1, 4, stream, b"\x88") + frame(0, 1, stream, str(number).encode()))
                if "after" in script["steps"]: perform(connection, "after")

        def serve(connection, number):
            global cuts
            try:
                if cuts > 0:
                    cuts -= 1
                    connection.recv(1)
                    return log("CUT")
                if script["way"] == "tunnel":
                    head = b""
                    while not head.endswith(b"\r\n\r\n"): head += connection.recv(1)
                    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                connection = context.wrap_socket(connection, server_side=True)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1) if script["way"] != "unixSocket" else None
                if script["speaksHTTP2"]: serve_streams(connection, number)
                else: serve_requests(connection)
            except Exception: pass
            finally: connection.close()
        """#
}
#endif
