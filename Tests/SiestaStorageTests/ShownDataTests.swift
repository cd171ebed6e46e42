import CacheTorture
import Foundation
import SiestaCaches
import SiestaCore
import SiestaLists
import SiestaOutboxStorage
import SiestaTesting
import SiestaWriting
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Every function that returns the data of a resource returns what is shown, whatever the data consists of.
@MainActor @Suite(.timeLimit(.test))
struct ShownDataTests {
    /// The data without edits.
    enum Base: String, CaseIterable { case none, cached, loaded, pushed, overridden }
    enum Edit: CaseIterable { case none, pending, durable }

    /// The parts of the data of a resource.
    struct Layers: CustomTestStringConvertible {
        let base: Base
        let edit: Edit
        let hasPlaceholder: Bool
        let isByHTTP: Bool

        var testDescription: String {
            "\(base), edit: \(edit)" + (hasPlaceholder ? ", placeholder" : "") + (isByHTTP ? ", by HTTP" : "")
        }

        /// The content before the first load.
        var content: String? { base == .none ? nil : base.rawValue + (edit == .none ? "" : "!") }

        static let all = Base.allCases.flatMap { base in
            Edit.allCases.flatMap { edit in
                [false, true].flatMap { hasPlaceholder in
                    [false, true].map {
                        Layers(base: base, edit: edit, hasPlaceholder: hasPlaceholder, isByHTTP: $0)
                    }
                }
            }
        }
    }

    private let folder: TestFolder
    private let clock = TestClock()
    private let network = StubNetwork()
    private let cache = InMemoryCache()
    private let service: Service
    private let thing: TypedResource<String>
    private let outbox: Outbox
    private let owner = NSObject()

    init() throws {
        folder = try TestFolder()
        let (network, clock, cache) = (network, clock, cache)
        service = clock.whileCurrent {
            Service(baseURL: "http://api.test", standardTransformers: [.text], networking: network)
        }
        service.configure("/thing") { $0.pipeline[.cleanup].cacheUsing(cache) }
        network.handler = { request in
            if request.httpMethod == "PATCH" { return .held }
            if request.value(forHTTPHeaderField: "If-None-Match") != nil { return .response(304) }
            return .text("loaded", headers: ["ETag": "\"1\"", "Cache-Control": "max-age=60"])
        }
        thing = service.resource("/thing").typed()
        outbox = Outbox(at: folder.url)
        service.outbox = outbox
    }

    // MARK: Layers

    private func make(_ layers: Layers) async throws {
        if layers.isByHTTP { service.configure { $0.freshness = .http } }
        try await make(layers.base)
        if layers.hasPlaceholder { thing.placeholder = "placeholder" }
        if layers.base == .cached, layers.edit != .none { _ = (try? await thing.get(.cached)) }
        switch layers.edit {
        case .none: break
        case .pending: thing.mutate(.patch) { $0 += "!" }
        case .durable:
            let change = thing.mutate(.patch, durable: true) { $0 += "!" }
            try await change.accepted()
        }
    }

    private func make(_ base: Base) async throws {
        switch base {
        case .none: break
        case .cached:
            cache.entities[thing.resource.url.absoluteString] = Entity(
                content: "cached", headers: ["Content-Type": "text/plain", "Cache-Control": "max-age=60"],
                timestamp: clock.wallTime)
        case .loaded: try await thing.get(.always)
        case .pushed: service.seed("pushed", for: thing)
        case .overridden: thing.content = "overridden"
        }
        if base != .cached { _ = (try? await thing.get(.cached)) }
    }

    // MARK: Functions

    private typealias Function = (name: String, call: () async throws -> String?)

    /// The functions that return the data without a load.
    private var readers: [Function] {
        let resource = thing.resource
        let list = PagedResource(thing, items: { [$0] }, id: { $0 }, next: .link)
        let part = thing.select { $0 }
        let whole = resource.select { $0.content as? String }
        return [
            ("latestData", { resource.latestData?.content as? String }),
            ("text", { resource.text.isEmpty ? nil : resource.text }),
            ("typedContent()", { resource.typedContent() }),
            ("content", { thing.content }),
            ("entity", { thing.entity?.content }),
            ("cached()", { (try? await resource.get(.cached))?.content as? String }),
            ("typed cached()", { (try? await thing.get(.cached)) }),
            ("selection of the content", { part.value }),
            ("selection of the entity", { whole.value }),
            ("values of a selection", { await first(of: part.values) ?? nil }),
            ("closure of a selection", { told(by: part) }),
            ("items of a list", { list.items.first }),
            ("states of a list", { await first(of: list.states)?.items.first }),
        ]
    }

    /// The functions that also return a placeholder.
    private var snapshots: [Function] {
        let resource = thing.resource
        let switcher = ResourceSwitcher(thing)
        return [
            ("snapshot", { resource.snapshot.data?.content as? String }),
            ("typed snapshot", { thing.snapshot.content }),
            ("states", { await first(of: resource.states)?.data?.content as? String }),
            ("typed states", { await first(of: thing.states)?.content }),
            ("content of a switcher", { switcher.content }),
            ("states of a switcher", { await first(of: switcher.states)?.content }),
        ]
    }

    /// The functions that load the data if it is not fresh.
    private var freshReaders: [Function] {
        let resource = thing.resource
        return [
            ("get()", { try await resource.get().content as? String }),
            ("typed get()", { try await thing.get() }),
            ("get(.ifOlder)", { try await resource.get(.ifOlder(than: 60)).content as? String }),
            ("typed get(.ifOlder)", { try await thing.get(.ifOlder(than: 60)) }),
            ("get(.directives)", { try await resource.get(.directives()).content as? String }),
            ("typed get(.directives)", { try await thing.get(.directives()) }),
        ]
    }

    /// The functions that load the data.
    private var loads: [Function] {
        let resource = thing.resource
        return [
            ("get(.ifOlder(than: -1))", { try await resource.get(.ifOlder(than: -1)).content as? String }),
            ("typed get(.ifOlder(than: -1))", { try await thing.get(.ifOlder(than: -1)) }),
            ("get(.always)", { try await thing.get(.always) }),
            (
                "load(using:)",
                {
                    _ = try await thing.load(using: thing.request(.get)).value
                    return thing.content
                }
            ),
        ]
    }

    private func first<Values: AsyncSequence>(
        of values: Values
    ) async -> Values.Element? where Values.Failure == Never {
        var iterator = values.makeAsyncIterator()
        return await iterator.next(isolation: #isolation)
    }

    private func told(by selection: Selection<String>) -> String? {
        var told: String?
        selection.addObserver(owner: owner) { told = $1 }
        selection.removeObservers(ownedBy: owner)
        return told
    }

    // MARK: Tests

    @Test(arguments: Layers.all)
    func `Every function returns what is shown`(_ layers: Layers) async throws {
        try await make(layers)
        #expect((try? await thing.get(.cached)) == layers.content)
        for function in readers {
            #expect(try await function.call() == layers.content, "\(function.name)")
        }
        for function in snapshots {
            let expected = layers.content ?? (layers.hasPlaceholder ? "placeholder" : nil)
            #expect(try await function.call() == expected, "\(function.name)")
        }
        for function in freshReaders {
            let result = try await function.call()
            #expect(result == layers.content ?? (layers.edit == .none ? "loaded" : "loaded!"), "\(function.name)")
            #expect(result == thing.content, "\(function.name)")
        }
        if layers.content != nil {
            #expect(try await thing.get(.directives(onlyIfCached: true)) == layers.content, "only if cached")
        }
        for function in loads {
            let result = try await function.call()
            #expect(result == (layers.edit == .none ? "loaded" : "loaded!"), "\(function.name)")
            #expect(result == thing.content, "\(function.name)")
        }
        await outbox.close()
    }

    @Test func `A load that finds fresh data in a cache passes what is shown to its hooks`() async throws {
        let endRead = cache.holdReads()
        try await make(.cached)
        let load = try #require(thing.loadIfNeeded())
        thing.mutate(.patch) { $0 += "!" }
        endRead()
        #expect(try await load.value.content as? String == "cached!")
    }

    @Test func `Stale data after a failed load contains pending edits`() async throws {
        service.configure { $0.freshness = .http }
        network.handler = nil
        network.answer(.patch, "/thing", with: .held)
        network.answer(
            .get, "/thing", with: .text("loaded", headers: ["Cache-Control": "max-age=1, stale-if-error=600"]),
            .response(503))
        try await thing.get(.always)
        thing.mutate(.patch) { $0 += "!" }
        clock.advance(by: 10)
        #expect(try await thing.get() == "loaded!")
    }
}
