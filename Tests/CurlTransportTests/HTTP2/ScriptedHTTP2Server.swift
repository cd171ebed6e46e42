#if os(Linux)
import Foundation
import Testing

@testable import CurlTransport

/// An HTTP/2 server with TLS that does what the path of a request says. It is a Python program with the package `h2`.
///
/// The response to `/page` is the number of the connection, from 0. The paths `/refuse/2`, `/leave/2`, `/processed/2`,
/// `/vanish/2` and `/garbage/2` misbehave twice and then behave like `/page`. These are the other paths:
///
/// - `/unmeasured` and `/cut` have a body without a length.
/// - `/silent` sends nothing, and `/freeze` freezes the connection.
/// - `/together/COUNT` responds as soon as so many requests wait on the same connection.
/// - `/echo/…` has its path as the body.
/// - `/head/BYTES` has a head of this length.
/// - `/reset/CODE` resets the stream, and `/early` responds before the request is complete.
/// - `/flood/KIND/COUNT` sends `pings`, `settings` or `hints` before the page.
final class ScriptedHTTP2Server: Sendable {
    private let server: PythonServer

    /// The Python program in the environment of `.ci/servers install`, if that environment contains `h2`.
    private static let python: String? = {
        let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("../../..")
        let place = root.appendingPathComponent(".build/servers").standardizedFileURL.path
        let packages = (try? FileManager.default.contentsOfDirectory(atPath: place + "/lib")) ?? []
        let isThere = packages.contains {
            FileManager.default.fileExists(atPath: "\(place)/lib/\($0)/site-packages/h2")
        }
        return isThere ? place + "/bin/python" : nil
    }()

    static let isAvailable = python != nil

    /// Starts a server that does not respond to the TLS handshakes of its first `stalled` connections.
    init(_ certificates: Certificates, stalled: Int = 0) async throws {
        server = try await PythonServer(certificates, at: Self.python, script: ["stalled": stalled], Self.program)
    }

    /// Returns the URL of a path.
    func url(_ path: String) throws -> URL { try server.url(path) }

    /// Returns a transport that reaches the server, trusts it, and uses HTTP/2 with it unless `change` says otherwise.
    func transport(_ change: (inout TransportOptions) -> Void = { _ in }) throws -> CurlTransport {
        try server.transport {
            $0.httpVersion = .http2OverTLS
            change(&$0)
        }
    }

    /// Returns the requests that the server has read and whose paths have this prefix, each as connection number,
    /// method and path.
    func requests(_ path: String = "/") -> [String] {
        server.log.filter { $0.contains(" \(path)") && !$0.hasPrefix("#") }
    }

    /// Polls until a connection waits in vain for the response to its handshake.
    func waitForStall() async throws { try await server.wait(for: "stalled") }

    private static let program = #"""
        import h2.config, h2.connection, h2.errors, h2.events, h2.settings
        from hyperframe.frame import GoAwayFrame

        context.set_alpn_protocols(["h2", "http/1.1"])
        counts = {}

        def turn(path):
            with lock:
                counts[path] = counts.get(path, 0) + 1
                return counts[path]

        class Peer:
            def __init__(self, connection, number):
                self.socket, self.number = connection, number
                self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
                self.h2.initiate_connection()
                self.paths, self.waiting = {}, []
                self.flush()

            def flush(self): self.socket.sendall(self.h2.data_to_send())

            def answer(self, stream, body, fields=()):
                self.h2.send_headers(stream, [(":status", "200"), ("content-type", "text/plain"), ("content-length", str(len(body))), *fields])
                self.h2.send_data(stream, body, end_stream=True)

            def page(self, stream): self.answer(stream, str(self.number).encode())

            def begin(self, stream): self.h2.send_headers(stream, [(":status", "200"), ("content-type", "text/plain")])

            def leave(self, last):
                frame = GoAwayFrame(0)
                frame.last_stream_id = last
                self.flush()
                self.socket.sendall(frame.serialize())
                raise EOFError

            def respond(self, stream, path):
                name, _, argument = path[1:].partition("/")
                if name == "unmeasured":
                    self.begin(stream)
                    self.h2.send_data(stream, b"a whole body", end_stream=True)
                elif name == "cut":
                    self.begin(stream)
                    self.h2.send_data(stream, b"half a body")
                    self.h2.reset_stream(stream, 0)
                elif name == "echo": self.answer(stream, path.encode())
                elif name == "flood":
                    kind, count = argument.split("/")
                    for i in range(int(count)):
                        if kind == "pings": self.h2.ping(b"12345678")
                        elif kind == "settings": self.h2.update_settings({h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: 100 + i})
                        else: self.h2.send_headers(stream, [(":status", "103"), ("link", "</a>")])
                        self.flush()
                    self.page(stream)
                elif name == "silent": pass
                elif name == "together":
                    self.waiting.append(stream)
                    if len(self.waiting) == int(argument):
                        for each in self.waiting: self.page(each)
                elif name == "freeze":
                    self.flush()
                    threading.Event().wait()
                elif name == "head":
                    self.answer(stream, b"", [(f"x-{i}", "v" * 990) for i in range(int(argument.split("/")[0]) // 1000)])
                elif name == "reset": self.h2.reset_stream(stream, int(argument.split("/")[0]))
                elif name == "refuse" and turn(path) <= int(argument.split("/")[0]): self.h2.reset_stream(stream, 7)
                elif name == "leave" and turn(path) <= int(argument.split("/")[0]): self.leave(max(0, stream - 2))
                elif name == "processed" and turn(path) <= int(argument.split("/")[0]): self.leave(stream)
                elif name == "vanish" and turn(path) <= int(argument.split("/")[0]): raise EOFError
                elif name == "garbage" and turn(path) <= int(argument.split("/")[0]):
                    self.flush()
                    self.socket.sendall(b"\x00\x00\x05\x00\x00\x00\x00\x00\x00hello")
                else: self.page(stream)

            def run(self):
                while True:
                    data = self.socket.recv(65536)
                    if not data: return
                    for event in self.h2.receive_data(data):
                        if isinstance(event, h2.events.RequestReceived):
                            fields = dict(event.headers)
                            path = self.paths[event.stream_id] = fields[":path"]
                            log(f"{self.number} {fields[':method']} {path}")
                            if path == "/early":
                                self.page(event.stream_id)
                                self.h2.reset_stream(event.stream_id, 0)
                        elif isinstance(event, h2.events.DataReceived) and self.paths[event.stream_id] != "/early":
                            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                        elif isinstance(event, h2.events.StreamEnded) and self.paths[event.stream_id] != "/early":
                            self.respond(event.stream_id, self.paths[event.stream_id])
                    self.flush()

        def serve_in_turn(connection, number):
            file = connection.makefile("rwb")
            while line := file.readline():
                method, path = line.decode().split(" ")[:2]
                fields = dict(line.decode().lower().split(":", 1) for line in iter(file.readline, b"\r\n"))
                file.read(int(fields.get("content-length", 0)))
                log(f"{number} {method} {path}")
                if path.startswith("/vanish/") and turn(path) <= int(path.split("/")[2]): return
                body = str(number).encode()
                file.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
                file.flush()

        def serve(connection, number):
            try:
                if number < script["stalled"]:
                    connection.recv(1)
                    mark("stalled")
                    threading.Event().wait()
                connection = context.wrap_socket(connection, server_side=True)
                if connection.selected_alpn_protocol() == "h2": Peer(connection, number).run()
                else: serve_in_turn(connection, number)
            except Exception as error: log(f"# {number} {error!r}")
            finally: connection.close()
        """#
}
#endif
