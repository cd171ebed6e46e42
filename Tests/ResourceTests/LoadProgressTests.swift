import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The progress that a snapshot shows while several loads run.
@MainActor @Suite(.timeLimit(.test))
struct LoadProgressTests {
    private let stub = StubbedResource()
    private let first = ManualOperation()
    private let second = ManualOperation()
    private var resource: Resource { stub.resource }

    private func load(_ operation: ManualOperation) -> any Request {
        resource.load(using: stub.clock.whileCurrent { Resource.prepareRequest(using: operation) })
    }

    private func report() {
        stub.clock.advance(by: 1)
    }

    @Test(arguments: [true, false])
    func `The progress is that of the load which has come farthest, of those that still run`(_ isCancelled: Bool) {
        let request = load(first)
        _ = load(second)
        (first.progress, second.progress) = (0.5, 0.01)
        report()
        #expect(resource.snapshot.progress == 0.5)
        if isCancelled { request.cancel() } else { first.complete(with: .text("first")) }
        #expect(resource.snapshot.progress.map { ($0 * 1000).rounded() } == 10)
        second.progress = 0.25
        report()
        #expect(resource.snapshot.progress == 0.25)
        second.complete(with: .text("second"))
        #expect(resource.snapshot.progress == nil)
    }

    @Test func `Observers that are told of a load's end see the progress of those that run`() {
        let recorder = ObserverRecorder()
        var seen: [Double?] = []
        recorder.onEvent = { [resource] _ in seen.append(resource.snapshot.progress) }
        resource.addObserver(recorder)
        _ = load(first)
        _ = load(second)
        second.progress = 0.5
        seen = []
        first.complete(with: .text("first"))
        #expect(seen == [0.5])
        resource.wipe()
    }

    @Test func `A load of the app's own that reports after its end has no part in the progress`() {
        let own = OwnRequest()
        resource.load(using: own)
        _ = load(second)
        own.progressHooks.forEach { $0(0.75) }
        #expect(resource.snapshot.progress == 0.75)
        own.complete()
        #expect(resource.snapshot.progress == 0)
        own.progressHooks.forEach { $0(0.9) }
        #expect(resource.snapshot.progress == 0)
        resource.wipe()
    }

    /// A request that is not the library's implementation.
    private final class OwnRequest: Request {
        var progressHooks: [(Double) -> Void] = []
        private var completionHooks: [(ResponseInfo) -> Void] = []
        private(set) var state = RequestState.inProgress
        var progress: Double { 0.75 }

        func onCompletion(_ callback: @escaping (ResponseInfo) -> Void) -> any Request {
            completionHooks.append(callback)
            return self
        }

        func onProgress(_ callback: @escaping (Double) -> Void) -> any Request {
            progressHooks.append(callback)
            return self
        }

        func complete() {
            state = .completed
            completionHooks.forEach { $0(.text("own")) }
        }

        func onSuccess(_ callback: @escaping (Entity<Any>) -> Void) -> any Request { self }
        func onNewData(_ callback: @escaping (Entity<Any>) -> Void) -> any Request { self }
        func onNotModified(_ callback: @escaping () -> Void) -> any Request { self }
        func onFailure(_ callback: @escaping (RequestError) -> Void) -> any Request { self }
        func start() -> any Request { self }
        func cancel() {}
        func repeated() -> any Request { OwnRequest() }
    }
}
