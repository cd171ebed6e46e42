import Foundation
import LoopbackServer
import SiestaCore
import SiestaTransfers
import SiestaWriting
import TestDoubles
import TestKit
import Testing
import Waiting

/// Bodies of all kinds, of changes and of loads.
@MainActor
@Suite(.timeLimit(.test))
struct RequestBodyTests {
    private struct Album: Codable, Equatable, Sendable {
        var title = "Old"
    }

    private static let pieces = [Data("one".utf8), Data("two".utf8)]

    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private let service: Service
    private let album: TypedResource<Album>

    init() throws {
        folder = try TemporaryFolder()
        server = try LoopbackServer {
            try $0.respond(headers: ["Content-Type: application/json"], text: #"{"title": "New"}"#)
        }
        service = Service(baseURL: server.url())
        service.decode("/album", as: Album.self, requestMethods: [.get, .put])
        album = service.resource("/album", as: Album.self)
    }

    /// Returns a body that is not in memory, and a part of the bytes that it sends.
    private func body(_ kind: String) throws -> (body: RequestBody, bytes: Data) {
        switch kind {
        case "file":
            return (
                .file(try folder.file("photo", Data("picture".utf8)), contentType: "image/png"), Data("picture".utf8)
            )
        case "form":
            var form = MultipartForm()
            form.append("Holiday", name: "title")
            return (.multipart(form), Data("Holiday".utf8))
        default:
            let stream = AsyncStream<Data> { continuation in
                for piece in Self.pieces { continuation.yield(piece) }
                continuation.finish()
            }
            return (.stream(stream), Data("onetwo".utf8))
        }
    }

    @Test(arguments: ["file", "form", "stream"])
    func `A change sends a body that is not in memory`(_ kind: String) async throws {
        album.content = Album()
        let (body, bytes) = try body(kind)
        let change = album.mutate(.put, body: body) { $0.title = "Mine" }
        #expect(album.content == Album(title: "Mine"))
        #expect(try await change.value == Album(title: "New"))
        let request = try #require(server.requests.first)
        #expect(request.method == "PUT")
        #expect(request.body.range(of: bytes) != nil)
    }

    @Test(arguments: ["file", "form", "stream"])
    func `The body of a load is in memory`(_ kind: String) async throws {
        let search = service.resource("/album", loadedBy: .post, body: try body(kind).body)
        var failure: RequestError?
        search.load().onFailure { failure = $0 }
        try await Poll.until { failure != nil }
        #expect(failure?.code == .unencodableBody)
        #expect(server.requests.isEmpty)
    }

    @Test func `A change with an invalid content type shows and sends nothing`() async throws {
        album.content = Album()
        var failure: RequestError?
        album.mutate(.put, body: .data(Data(), contentType: "a\r\nb")) { $0.title = "Mine" }
            .onFailure { failure = $0 }
        #expect(album.content == Album())
        try await Poll.until { failure != nil }
        #expect(failure?.code == .invalidHeader)
        #expect(server.requests.isEmpty)
    }
}
