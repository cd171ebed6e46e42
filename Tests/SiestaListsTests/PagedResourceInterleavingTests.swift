import CacheTorture
import Foundation
import Isolation
import SiestaCore
import SiestaRetrying
import SiestaTesting
import TestDoubles
import TestKit
import Testing
import Waiting

@testable import SiestaLists

/// Random operations on a list in pages while its responses are held back: loads in both directions, reloads,
/// cancellations, wipes, invalidations, failures, and changes on the server.
///
/// If a seed fails, `SIESTA_MODEL_SEED=… swift test --filter PagedResourceInterleavingTests` runs only that seed.
@MainActor @Suite(.timeLimit(.model))
struct PagedResourceInterleavingTests {
    private nonisolated static let seeds: [Int] = {
        let seed = ProcessInfo.processInfo.environment["SIESTA_MODEL_SEED"].flatMap { Int($0) }
        return seed.map { [$0] } ?? TestSeed.cases(TestLevel.count(10, nightly: 40, soak: 200)).map { Int($0) }
    }()

    /// One run: the list, its server, and the operations so far.
    @MainActor
    private final class Run {
        let seed: Int
        let server: PagedServer
        let list: PagedResource<Int>
        private let owner = Owner()
        private var random: SeededGenerator
        private var tasks: [Task<Void, Never>] = []
        private var operations: [Int] = []
        private var nextRow = 1000

        var comment: Comment { "seed \(seed), operations \(operations)" }

        init(_ seed: Int) {
            self.seed = seed
            random = SeededGenerator(seed: UInt64(seed) &+ 77)
            let server = PagedServer(1...Int.random(in: 0...14, using: &random) + 1, size: 3)
            server.service.configure {
                $0.expirationTime = 10
                $0.retry = seed % 3 == 0 ? .standard : .none
                $0.changeDetection = seed % 4 == 1 ? .bytes : .always
            }
            let cache = InMemoryCache()
            if seed % 5 == 2 { server.service.configure { $0.pipeline[.cleanup].cacheUsing(cache) } }
            let next: PageLink<Data> = Bool.random(using: &random) ? .link : .pageNumber()
            list = server.list(server.page(Int.random(in: 1...3, using: &random)), next: next)
            self.server = server
            if Bool.random(using: &random) { list.addObserver(owner: owner) { _, _ in } }
            server.isHeld = true
        }

        func step() async {
            let operation = Int.random(in: 0..<22, using: &random)
            operations.append(operation)
            perform(operation)
            if Bool.random(using: &random) {
                let open = server.network.exchanges.filter { !$0.isCompleted }
                if let one = open.randomElement(using: &random) { one.respond(with: server.answer(to: one.request)) }
            }
            if Bool.random(using: &random) { for _ in 0..<3 { await mainQueueTurn() } }
            #expect(Set(list.items).count == list.items.count, comment)
            #expect(Set(list.pages.map { ObjectIdentifier($0) }).count == list.pages.count, comment)
            if list.isLoadingNext || list.isLoadingPrevious { #expect(list.isLoading, comment) }
        }

        private func perform(_ operation: Int) {
            let list = list
            switch operation {
            case 0, 1, 2: tasks.append(Task { try? await list.loadNext() })
            case 3: tasks.append(Task { try? await list.loadPrevious() })
            case 4: tasks.append(Task { try? await list.reload(.all) })
            case 5: tasks.append(Task { try? await list.reload(.firstThenMerge) })
            case 6: tasks.append(Task { try? await list.reload(.visible) })
            case 7: tasks.randomElement(using: &random)?.cancel()
            case 8: list.beginLoadingNext()
            case 9: list.beginLoadingPrevious()
            case 10: list.loadIfNeeded()
            case 11: if Int.random(in: 0..<4, using: &random) == 0 { server.service.wipeResources() }
            case 12: if Int.random(in: 0..<3, using: &random) == 0 { list.pages.randomElement(using: &random)?.wipe() }
            case 13: list.maxPages = [nil, 1, 2, 3].randomElement(using: &random) ?? nil
            case 14: changeRows()
            case 15: list.resources.randomElement(using: &random)?.invalidate()
            case 16: list.resources.randomElement(using: &random)?.load()
            case 17: tasks.append(Task { await list.loadCachedPages() })
            case 18: server.requestsBeforeFailure = 0
            case 19: list.pages.randomElement(using: &random)?.loadRequests.randomElement(using: &random)?.cancel()
            case 20: server.clock.advance(by: Double.random(in: 0...12, using: &random))
            default: server.service.invalidate(matching: "/rows")
            }
        }

        private func changeRows() {
            if server.rows.isEmpty || Bool.random(using: &random) {
                server.rows.insert(nextRow, at: Int.random(in: 0...server.rows.count, using: &random))
                nextRow += 1
            } else {
                server.rows.remove(at: Int.random(in: 0..<server.rows.count, using: &random))
            }
        }

        /// Answers all requests, and expects that nothing waits any longer.
        func settle() async {
            server.isHeld = false
            server.requestsBeforeFailure = nil
            let (ended, all) = (Locked(0), tasks)
            for task in all {
                Task {
                    await task.value
                    ended.withLock { $0 += 1 }
                }
            }
            for _ in 0..<3000 where ended.withLock({ $0 }) < all.count || list.isLoading {
                server.answerHeldRequests()
                await mainQueueTurn()
                await withCheckedContinuation { continuation in
                    DispatchQueue.global(qos: .userInitiated).async { continuation.resume() }
                }
                server.clock.advance(by: 0.5)
            }
            #expect(ended.withLock { $0 } == all.count, comment)
            #expect(!list.isLoading, comment)
            #expect(!list.isLoadingNext, comment)
            #expect(!list.isLoadingPrevious, comment)
            #expect(list.reloading == nil, comment)
            #expect(list.loads.isEmpty, comment)
            #expect(list.busy.isEmpty, comment)
            #expect(!list.isChanging, comment)
            #expect(list.delayedEvents.isEmpty, comment)
        }

        /// Loads all pages, and expects the rows of the server.
        func loadAll() async {
            list.maxPages = nil
            server.clock.advance(by: 100)
            await succeed { () throws(RequestError) in try await self.list.reload() }
            await repeatWhile(\.hasNext) { () throws(RequestError) in try await self.list.loadNext() }
            await repeatWhile(\.hasPrevious) { () throws(RequestError) in try await self.list.loadPrevious() }
            let first = list.pageNumbers.first ?? 1
            await succeed { () throws(RequestError) in try await self.list.reload() }
            await repeatWhile(\.hasNext) { () throws(RequestError) in try await self.list.loadNext() }
            #expect(list.items == Array(server.rows.dropFirst((first - 1) * 3)), comment)
            #expect(list.error == nil, comment)
            #expect(list.observed == Set(list.pages), comment)
        }

        private func repeatWhile(
            _ isNeeded: KeyPath<PagedResource<Int>, Bool>, _ operation: () async throws(RequestError) -> Void
        ) async {
            var count = 0
            while list[keyPath: isNeeded], count < 50 {
                count += 1
                await succeed(operation)
            }
            #expect(count < 50, comment)
        }

        private func succeed(_ operation: () async throws(RequestError) -> Void) async {
            do throws(RequestError) { try await operation() } catch { Issue.record("\(error), \(comment)") }
        }
    }

    @Test(arguments: seeds)
    func `Whatever happens while responses are awaited, the list ends with the rows of the server`(_ seed: Int) async {
        let run = Run(seed)
        for _ in 0..<60 { await run.step() }
        await run.settle()
        await run.loadAll()
    }
}
