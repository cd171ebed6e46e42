import Dispatch
import Foundation
import LoopbackServer
import SiestaCore
import SiestaInspector

/// A small app with an inspector, for the checks of the page in a browser. It prints the address of the page.
///
/// It reads commands from standard input, one in each line, and ends with it: `load PATH`, `observe PATH`, and
/// `make NUMBER` for resources that are not loaded. It prints `done` after each.
@main @MainActor
struct InspectorDemo {
    static func main() async throws {
        let server = try LoopbackServer { exchange in try answer(exchange) }
        let service = Service(baseURL: server.url("/v1/"), networking: InspectorNetwork())
        service.cachedResourceCountLimit = 20_000
        service.configure("/users/*", description: "users") { $0.expirationTime = 300 }
        let inspector = Inspector(service, permissions: .full, logging: [.network, .stateChanges, .staleness])
        var resources: [Resource] = []
        write("\(try await inspector.start(evenInRelease: true))")
        for await line in commands {
            let words = line.split(separator: " ").map(String.init)
            await obey(words.first ?? "", words.last ?? "", service, &resources)
            write("done")
        }
        inspector.stop()
        server.stop()
    }

    private static func obey(_ command: String, _ argument: String, _ service: Service, _ kept: inout [Resource]) async
    {
        switch command {
        case "load":
            let resource = service.resource(absoluteURL: URL(string: argument, relativeTo: service.baseURL))
            kept.append(resource)
            _ = try? await resource.load().value
        case "observe":
            let resource = service.resource(argument)
            resource.addObserver(owner: service) { _, _ in }
            resource.loadIfNeeded()
        case "make":
            for number in 0..<(Int(argument) ?? 0) { kept.append(service.resource("/items/\(number)")) }
        default: break
        }
    }

    private static func write(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// The lines of standard input.
    private static var commands: AsyncStream<String> {
        AsyncStream { continuation in
            DispatchQueue(label: "commands").async {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }

    nonisolated private static func answer(_ exchange: ServedExchange) throws {
        let target = exchange.request.target
        guard target.hasPrefix("/v1/users/") else { return try exchange.respond(404, text: "unknown") }
        let text = #"{"name": "Ada", "accessToken": "s3cret-in-body", "path": "\#(target.prefix { $0 != "?" })"}"#
        let headers = ["Content-Type: application/json", "Set-Cookie: id=s3cret-cookie", "Cache-Control: max-age=60"]
        try exchange.respond(headers: headers, text: text)
    }
}
