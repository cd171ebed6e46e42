import Foundation
import Isolation
import Observation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaLists

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Numbers, times and bodies that a hostile server or a careless app chooses.
@MainActor @Suite(.timeLimit(.test))
struct HostileDataTests {
    private let stub = StubbedResource()
    private var service: Service { stub.service }
    private var resource: Resource { stub.resource }

    /// Returns the query of the page to which a link leads; nil if there is none.
    private func target(
        _ link: PageLink<String>, _ direction: PageDirection = .next, from query: String, total: Int? = nil
    ) -> String? {
        let start = PageLink<String>.Start(
            resource: resource.relative("?\(query)"), entity: Entity(content: "", contentType: "text/plain"),
            itemCount: 3, total: total)
        return link.target(start, direction).map { $0.url.query ?? "" }
    }

    @Test func `Extreme numbers of pages`() {
        for number in [Int.min, .min + 1, -1, 0, 1, .max - 1, .max] {
            for first in [Int.min, -1, 0, 1, .max] {
                for (direction, total) in [(PageDirection.next, 7), (.previous, nil), (.next, .max), (.next, .min)] {
                    _ = target(.pageNumber(first: first, size: 3), direction, from: "page=\(number)", total: total)
                    _ = target(.pageNumber(first: first, size: .max), direction, from: "page=\(number)", total: total)
                }
            }
            for limit in [Int.min, -1, 0, 3, .max] {
                _ = target(.offset(limit: limit), from: "offset=\(number)", total: 7)
                _ = target(.offset(limit: limit), .previous, from: "offset=\(number)")
            }
        }
        #expect(target(.pageNumber(size: 3), from: "page=\(Int.min)", total: 7) == "page=\(Int.min + 1)")
        #expect(target(.offset(limit: .min), from: "offset=3") == nil)
    }

    @Test func `A negative total counts as no total`() {
        let entity = Entity(content: "-1", contentType: "text/plain")
        #expect(PageTotal<String>.content { Int($0) }.value(entity) == nil)
        #expect(PageTotal<String>.content { _ in 0 }.value(entity) == 0)
    }

    @Test func `Sizes that a server claims do not overflow`() {
        for name in ["/a", "/b", "/c"] {
            service.resource(name).overrideLocalData(
                with: Entity(content: 17, headers: ["Content-Length": "\(Int.max)"]))
        }
        service.cachedResourceByteLimit = 60
        for name in ["/a", "/b", "/c"] { #expect(service.resource(name).latestData == nil) }
    }

    @Test func `A seed without a valid time never replaces data`() async {
        await stub.load(.text("loaded"))
        for time in [Double.nan, -.infinity] {
            service.seed("seed", for: resource.typed(), timestamp: time)
            #expect(resource.typed(as: String.self).content == "loaded")
            #expect(resource.isUpToDate)
        }
        let other = service.resource("/other", as: String.self)
        service.seed("seed", for: other, timestamp: .nan)
        #expect(other.content == "seed")
        #expect(!other.resource.isUpToDate)
    }

    @Test func `A wipe in the middle of a seed wins`() {
        let (resource, isFirst) = (resource, Locked(true))
        withObservationTracking {
            _ = resource.latestData
        } onChange: {
            // The wipe is announced, too.
            guard isFirst.withLock({ exchange(&$0, with: false) }) else { return }
            MainActor.assumeIsolated { resource.wipe(includingCaches: true) }
        }
        service.seed("seed", for: resource.typed(), timestamp: stub.clock.wallTime - 1)
        #expect(resource.latestData == nil)
        service.seed("seed", for: resource.typed())
        #expect(resource.typed(as: String.self).content == "seed")
    }

    // MARK: Bodies

    private struct Probe: Encodable {
        let encoder: JSONEncoder
        var seen: (JSONEncoder.OutputFormatting) -> Void

        func encode(to encoder: any Encoder) throws {
            seen(self.encoder.outputFormatting)
            var container = encoder.singleValueContainer()
            try container.encode(["b": 1, "a": 2])
        }
    }

    @Test func `An encoder of the app keeps its options while it is used`() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        encoder.keyEncodingStrategy = .convertToSnakeCase
        var seen: JSONEncoder.OutputFormatting?
        let found = service.resource(
            "/search", loadedBy: .post, body: .encoded(Probe(encoder: encoder) { seen = $0 }, encoder: encoder))
        #expect(seen == .prettyPrinted)
        #expect(found === service.resource("/search", loadedBy: .post, body: .json(["a": 2, "b": 1])))
    }

    @Test func `Pages by a parameter keep the body of the first page`() async throws {
        var requests: [String] = []
        stub.network.handler = { request in
            requests.append("\(request.httpMethod ?? "") \(request.url?.query ?? "") \(request.httpBody?.count ?? 0)")
            return .text("x")
        }
        let first = service.resource("/search", as: String.self, loadedBy: .post, body: .json(["a": 1]))
        let list = PagedResource(first, items: { [$0] }, id: { _ in UUID() }, next: .pageNumber())
        for _ in 0..<2 { try await list.loadNext() }
        let offsets = PagedResource(first, items: { [$0] }, id: { _ in UUID() }, next: .offset(limit: 1))
        for _ in 0..<2 { try await offsets.loadNext() }
        #expect(requests == ["POST  7", "POST page=2 7", "POST limit=1&offset=1 7", "POST limit=1&offset=2 7"])
    }

    @Test func `Pages whose cursor is a part of the body`() async throws {
        let service = service
        stub.network.handler = { request in
            .text(String(decoding: request.httpBody ?? Data(), as: UTF8.self).filter(\.isNumber))
        }
        let page = { (number: Int) in
            service.resource("/graphql", as: String.self, loadedBy: .post, body: .json(["after": number]))
        }
        let list = PagedResource(
            page(0), items: { [$0] }, id: { $0 },
            next: .resource { content in Int(content).flatMap { $0 < 5 ? page($0 + 1) : nil } }, maxPages: 2)
        for _ in 0..<7 { try await list.loadNext() }
        #expect(list.items == ["4", "5"])
        #expect(!list.hasNext)
        #expect(list.hasPrevious)
        service.flushUnusedResources()
        for _ in 0..<4 { try await list.loadPrevious() }
        #expect(list.items == ["0", "1"])
        #expect(!list.hasPrevious)
        #expect(list.error == nil)
    }

    @Test func `A dump of a resource shows no body`() {
        var text = ""
        let secret = Data("secret".utf8)
        dump(service.resource("/search", loadedBy: .post, body: .data(secret, contentType: "text/plain")), to: &text)
        for part in ["115", "secret", "6 bytes"] { #expect(!text.contains(part), "\(part) in \(text)") }
    }
}
