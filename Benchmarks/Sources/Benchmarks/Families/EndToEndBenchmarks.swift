import Foundation
import Siesta

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Whole exchanges over real sockets on loopback, one after the other, each way over a connection that stays open.
@MainActor
func endToEndBenchmarks() throws -> [Benchmark] {
    let bytes = [UInt8](repeating: 65, count: 1024)
    let server = try LoopbackServer(body: bytes, contentType: "application/octet-stream")
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil  // With one, FoundationNetworking may end the process when a task is cancelled.
    let session = URLSession(configuration: configuration)
    guard let url = URL(string: "http://127.0.0.1:\(server.port)/items/7") else { return [] }
    let resource = Service(baseURL: "http://127.0.0.1:\(server.port)").resource("/items/7")
    return [
        try bareSocket(server),
        Benchmark("end to end/bare URLSession", isReference: true, batch: 100, counted: nil) { count in
            for _ in 0..<count {
                await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                    session.dataTask(with: URLRequest(url: url)) { data, _, _ in
                        precondition(data?.count == 1024, "The server did not answer.")
                        DispatchQueue.main.async { continuation.resume() }
                    }.resume()
                }
            }
        },
        Benchmark(
            "end to end/Resource.load()", beside: "end to end/bare URLSession", isReference: true, batch: 100,
            counted: nil
        ) {
            count in
            for _ in 0..<count {
                await withCheckedContinuation { continuation in
                    resource.load().onCompletion { _ in continuation.resume() }
                }
            }
            precondition(resource.latestError == nil, "The load failed.")
        },
    ]
}

@MainActor
private func bareSocket(_ server: LoopbackServer) throws -> Benchmark {
    let socket = try Socket()
    try socket.connect(port: server.port)
    let request = Array("GET /items/7 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
    return Benchmark("end to end/bare socket", isReference: true, batch: 100, counted: nil) { count in
        var buffer = [UInt8](repeating: 0, count: 16384)
        for _ in 0..<count {
            socket.write(request)
            var missing = server.answerSize
            while missing > 0 {
                let count = socket.read(into: &buffer)
                precondition(count > 0, "The server closed the connection.")
                missing -= count
            }
        }
    }
}
