import CacheTorture
import Foundation

import SiestaTesting
import TestDoubles
import TestKit
import Testing

@testable import SiestaCore
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Chains that would never complete, and chains that are only long.
@MainActor @Suite(.timeLimit(.test))
struct EndlessChainTests {
    private let stub = StubbedResource()
    private var resource: Resource { stub.resource }

    private func request() -> any Request {
        Resource.prepareRequest(using: ManualOperation { $0.broadcastResponse(.text("done")) })
    }

    private func cause(_ info: ResponseInfo) -> RequestError.Failure? {
        (info.failure?.cause as? RequestError.Failure).flatMap { $0.code == .endlessChain ? $0 : nil }
    }

    // MARK: Chains that wait for themselves

    @Test(arguments: [true, false])
    func `A chain that passes to a chain of itself fails`(_ isDeferred: Bool) async {
        let operation = ManualOperation { $0.broadcastResponse(.text("done")) }
        operation.isDeferred = isDeferred
        var again: (any Request)?
        let chain = Resource.prepareRequest(using: operation).chained { _ in
            again.map { .passTo($0.chained { _ in .useThisResponse }) } ?? .useThisResponse
        }
        again = chain
        #expect(cause(await chain.start().completion()) != nil)
    }

    @Test func `A chain that passes to itself fails`() async {
        var again: (any Request)?
        let chain = request().chained { _ in again.map { .passTo($0) } ?? .useThisResponse }
        again = chain
        #expect(cause(await chain.start().completion()) != nil)
    }

    @Test(arguments: [2, 3, 10])
    func `Chains that pass to each other in a circle fail, all of them`(_ count: Int) async {
        var chains: [any Request] = []
        for index in 0..<count {
            chains.append(request().chained { _ in .passTo(chains[(index + 1) % count]) })
        }
        chains[0].start()
        for chain in chains { #expect(cause(await chain.completion()) != nil) }
    }

    @Test(arguments: [true, false])
    func `A chain that passes to a request which waits for it fails, be that started or not`(_ isStarted: Bool) async {
        let operation = ManualOperation()
        var dependent: (any Request)?
        let chain = Resource.prepareRequest(using: operation).chained { _ in
            dependent.map { .passTo($0) } ?? .useThisResponse
        }
        if isStarted { chain.start() }
        dependent = chain.chained { _ in .useThisResponse }.chained { _ in .useThisResponse }
        chain.start()
        operation.complete(with: .text("done"))
        #expect(cause(await chain.completion()) != nil)
        #expect(dependent?.state == (isStarted ? .completed : .notStarted))
    }

    @Test
    func `The error names the requests of the chain by method and path, and nothing else of their URLs`() async throws {
        let resource = stub.service.resource("/session").withParam("token", "secret")
        stub.network.answer(.post, "/session", with: .text("done"))
        var again: (any Request)?
        let chain = resource.request(.post).chained { _ in
            again.map { .passTo($0.chained { _ in .useThisResponse }) } ?? .useThisResponse
        }
        again = chain
        let error = try #require(await chain.completion().failure)
        #expect(error.userMessage == "Request failed")
        #expect(error.description.contains("POST /session"))
        #expect(!error.description.contains("secret"))
        #expect(!error.description.contains("api.test"))
    }

    @Test(arguments: [true, false])
    func `A load whose decorator passes to the load itself fails`(_ usesLoadIfNeeded: Bool) async {
        resource.service.configure {
            $0.decorateRequests { resource, request in
                request.chained { _ in
                    guard let load = usesLoadIfNeeded ? resource.loadIfNeeded() : resource.loadRequests.first else {
                        return .useThisResponse
                    }
                    return .passTo(load)
                }
            }
        }
        #expect(cause(await stub.load(.text("hello"))) != nil)
        #expect(!resource.isLoading)
        #expect(resource.latestError?.code == .endlessChain)
    }

    @Test func `A load that waits for its cache, and is then replaced by itself, fails`() async {
        let bench = CacheBench()
        bench.cache(at: .cleanup)
        bench.service.configure { $0.decorateRequests { resource, request in resource.loadIfNeeded() ?? request } }
        let info = await bench.resource.loadIfNeeded()?.completion()
        #expect(info.flatMap(cause) != nil)
        #expect(!bench.resource.isLoading)
    }

    @Test func `A chain that passes to load(using:) of itself fails`() async {
        var again: (any Request)?
        let chain = request().chained { [resource] _ in
            again.map { .passTo(resource.load(using: $0)) } ?? .useThisResponse
        }
        again = chain
        #expect(cause(await resource.load(using: chain).completion()) != nil)
        #expect(!resource.isLoading)
    }

    // MARK: Endless requests

    @Test func `A sign-in that is refused, and whose decorator signs in, fails, and sends few requests`() async {
        stub.service.configure("**") {
            $0.decorateRequests { resource, request in
                request.chained { info in
                    guard info.failure?.httpStatusCode == 401 else { return .useThisResponse }
                    let signIn = resource.service.resource("/session").request(.post)
                    return .passTo(
                        signIn.chained { $0.failure == nil ? .passTo(request.repeated()) : .useThisResponse })
                }
            }
        }
        stub.network.handler = { _ in .response(401) }
        let info = await resource.load().completion()
        #expect(cause(info)?.reason.hasSuffix("POST /session") == true)
        #expect(cause(info)?.reason.contains(": GET /thing") == true)
        #expect(stub.network.requests.count < 30)
    }

    @Test
    func `A decorator that makes a request of its own kind each time fails, and does not exhaust the stack`() async {
        stub.service.configure("**") {
            $0.decorateRequests { resource, request in
                let signIn = resource.service.resource("/session").request(.post)
                return request.chained { _ in .passTo(signIn) }
            }
        }
        stub.network.handler = { _ in .text("hello") }
        let info = await resource.load().completion()
        #expect(cause(info)?.reason.contains("POST /session") == true)
        #expect(stub.network.requests.count < 50)
    }

    @Test
    func `A decorator that makes a request of another URL each time fails, and does not exhaust the stack`() async {
        stub.service.configure("**") {
            $0.decorateRequests { resource, request in
                let next = resource.child("a").load()
                return request.chained { _ in .passTo(next) }
            }
        }
        stub.network.handler = { _ in .text("hello") }
        #expect(cause(await resource.load().completion()) != nil)
    }

    @Test func `Two decorators whose requests cause each other fail`() async {
        for (path, other) in [("/thing", "/other"), ("/other", "/thing")] {
            stub.service.configure(path) {
                $0.decorateRequests { resource, request in
                    request.chained { _ in .passTo(resource.service.resource(other).load()) }
                }
            }
        }
        stub.network.handler = { _ in .text("hello") }
        #expect(cause(await resource.load().completion()) != nil)
        #expect(stub.network.requests.count < 100)
    }

    @Test(arguments: [true, false])
    func `A chain that repeats itself without end fails`(_ isDeferred: Bool) async {
        var count = 0
        var again: (any Request)?
        let first = Resource.prepareRequest(using: Repetition(isDeferred: isDeferred)).chained { _ in
            count += 1
            return again.map { .passTo($0.repeated()) } ?? .useThisResponse
        }
        again = first
        #expect(cause(await first.start().completion()) != nil)
        #expect(count == 10_000)
    }

    /// Work that can be repeated, and that does not keep its repetitions alive.
    private struct Repetition: RequestDelegate {
        let isDeferred: Bool

        func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {
            guard isDeferred else { return completionHandler.broadcastResponse(.text("done")) }
            MainQueue.async { completionHandler.broadcastResponse(.text("done")) }
        }

        func cancelUnderlyingOperation() {}
        func repeated() -> any RequestDelegate { self }
    }

    // MARK: Long chains

    /// Work that counts how often it is asked to prevent its effect.
    private final class AskedWork: LibraryRequestDelegate {
        private(set) var askedCount = 0

        func startUnderlyingOperation(passingResponseTo completionHandler: any RequestCompletionHandler) {}
        func cancelUnderlyingOperation() {}
        func repeated() -> any RequestDelegate { self }

        func cancelEffect(ifUnwanted: Bool) -> Bool {
            askedCount += 1
            return true
        }
    }

    @Test func `Cancelling a row of chains does not ask the rest of the row again for each chain`() {
        let work = AskedWork()
        var chain = Resource.prepareRequest(using: work)
        for _ in 0..<20 { chain = chain.chained { _ in .useThisResponse } }
        chain.start()
        chain.cancel()
        #expect(chain.isCompleted)
        #expect(work.askedCount <= 2)
    }

    @Test(arguments: [true, false])
    func `Thousands of requests may pass to one another`(_ isDeferred: Bool) async {
        func step(_ number: Int) -> any Request {
            Resource.prepareRequest(using: Repetition(isDeferred: isDeferred)).chained { _ in
                number == 0 ? .useThisResponse : .passTo(step(number - 1))
            }
        }
        #expect(await step(5_000).start().completion().text == "done")
    }

    @Test func `Thousands of chains that were made before the first one starts complete one another`() async {
        var chain = request()
        for _ in 0..<5_000 {
            let next = chain
            chain = request().chained { _ in .passTo(next) }
        }
        #expect(await chain.start().completion().text == "done")
    }

    @Test(arguments: [true, false])
    func `A thousand chains around one request complete, also when it is cancelled`(_ isCancelled: Bool) async {
        let operation = ManualOperation()
        var chain = Resource.prepareRequest(using: operation)
        for _ in 0..<1_000 { chain = chain.chained { _ in .useThisResponse } }
        chain.start()
        while operation.startCount == 0 { await mainQueueTurn() }
        #expect(chain.progress == 0)
        if isCancelled {
            chain.cancel()
            while operation.cancelCount == 0 { await mainQueueTurn() }
            #expect(await chain.completion().response.isCancellation)
        } else {
            operation.complete(with: .text("done"))
            #expect(await chain.completion().text == "done")
        }
    }

    @Test func `Cancelling a long row of chains cancels the request at its end`() async {
        let operation = ManualOperation()
        func step(_ number: Int) -> any Request {
            guard number > 0 else { return Resource.prepareRequest(using: operation) }
            return request().chained { _ in .passTo(step(number - 1)) }
        }
        let chain = step(3_000).start()
        while operation.startCount == 0 { await mainQueueTurn() }
        chain.cancel()
        #expect(chain.state == .completed)
        while operation.cancelCount == 0 { await mainQueueTurn() }
        #expect(operation.cancelCount == 1)
    }

    @Test func `A decorator may load the next page from each page's chain, however many there are`() async {
        stub.service.configure("/page/*") {
            $0.decorateRequests { resource, request in
                request.chained { _ in
                    if let number = Int(resource.url.lastPathComponent), number < 200 {
                        return .passTo(resource.service.resource("/page").child("\(number + 1)").request(.get))
                    }
                    return .useThisResponse
                }
            }
        }
        stub.network.handler = { .text($0.url?.lastPathComponent ?? "") }
        #expect(await stub.service.resource("/page/1").load().completion().text == "200")
    }

    @Test func `What is made outside of chains and decorators has no lineage`() async {
        stub.service.configure { $0.decorateRequests { _, request in request.chained { _ in .useThisResponse } } }
        stub.network.handler = { _ in .text("hello") }
        // The smallest number of requests that would reveal a leftover lineage. It is small because each waits for
        // turns of the main queue, which all running tests share.
        for _ in 0...RequestLineage.repetitionLimit { #expect(await resource.load().completion().failure == nil) }
        #expect(!RequestLineage.current.isEndless)
    }

    @Test func `A decorator may ask again every two seconds until the server has done its work`() async {
        var count = 0
        stub.service.configure {
            $0.decorateRequests { [clock = stub.clock] resource, request in
                request.chained { info in
                    guard info.text == "wait" else { return .useThisResponse }
                    clock.advance(by: 2)
                    return .passTo(resource.request(.get))
                }
            }
        }
        stub.network.handler = { _ in
            count += 1
            return .text(count < 50 ? "wait" : "done")
        }
        #expect(await resource.load().completion().text == "done")
        #expect(count == 50)
    }

    @Test func `A request that is refused after each sign-in fails, also if each round takes long`() async {
        stub.service.configure("/thing") {
            $0.decorateRequests { [clock = stub.clock] resource, request in
                request.chained { info in
                    guard info.failure?.httpStatusCode == 401 else { return .useThisResponse }
                    clock.advance(by: 2)
                    let signIn = resource.service.resource("/session").request(.post)
                    return .passTo(signIn.chained { _ in .passTo(resource.request(.get)) })
                }
            }
        }
        stub.network.handler = { [network = stub.network] in
            $0.httpMethod == "POST" ? .text("ok") : network.requests.count < 200 ? .response(401) : .text("too late")
        }
        #expect(cause(await resource.load().completion()) != nil)
        #expect(stub.network.requests.count < 60)
    }
}
