import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

/// The timers of the retention, and the moments at which the limit of bytes is checked.
@MainActor @Suite(.timeLimit(.test))
struct RetentionLimitsTests {
    private let stub = StubbedResource()
    private var service: Service { stub.service }

    private func isKept(_ name: String) -> Bool { service.resource(name).latestData != nil }

    // MARK: Time

    @Test func `Several resources and rules with a retention share one timer`() {
        for name in ["/a", "/b", "/c"] {
            service.configure(name) { $0.retention = 60 }
            service.resource(name).overrideLocalContent(with: name)
            _ = service.resource(name).configuration
        }
        #expect(stub.clock.timers == [30])
    }

    @Test(arguments: [(0.0, 1.0), (-5, 1), (1.5, 1), (10, 5), (1e5, 3600), (.infinity, 3600)])
    func `The timer is due after half the retention, at least a second and at most an hour`(
        _ retention: Double, _ delay: Double
    ) {
        service.configure { $0.retention = retention }
        service.resource("/a").overrideLocalContent(with: "a")
        _ = service.resource("/a").configuration
        #expect(stub.clock.timers == [delay])
    }

    // MARK: Size

    private func arrive(_ size: Int) async {
        stub.network.answer(.get, "/small", with: .text(String(repeating: "x", count: size)))
        await service.resource("/small").load().completion()
        for _ in 0..<10 { await mainQueueTurn() }
    }

    /// Makes a resource that is over the limit by itself, without a response.
    private func makeLarge(_ name: String) {
        service.resource(name).overrideLocalContent(with: String(repeating: "x", count: 2000))
    }

    @Test func `The limit is checked each time one sixteenth of it has arrived`() async {
        service.cachedResourceByteLimit = 1600
        for name in ["/a", "/b"] {
            makeLarge(name)
            await arrive(60)
            #expect(isKept(name))
            await arrive(60)
            #expect(!isKept(name))
        }
    }

    @Test func `Content without a size stays, even if it is the least recently used`() {
        service.resource("/a").overrideLocalContent(with: 17)
        makeLarge("/b")
        service.cachedResourceByteLimit = 10
        #expect(isKept("/a"))
        #expect(!isKept("/b"))
    }

    @Test func `An observer that has lost its owner does not keep its resource`() {
        makeLarge("/a")
        do {
            let owner = Owner()
            service.resource("/a").addObserver(owner: owner) { _, _ in }
        }
        service.cachedResourceByteLimit = 10
        #expect(!isKept("/a"))
    }
}
