import Foundation
import Siesta
import SiestaTesting
import SiestaUI
import TestKit
import Testing
import Waiting

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

@MainActor @Suite(.timeLimit(.test))
struct ResourceProgressBarTests {
    @Test func `A bar is visible while a resource loads, and then hidden`() async throws {
        let clock = TestClock()
        let network = StubNetwork()
        let (service, bar) = clock.whileCurrent {
            (Service(baseURL: "https://api.test", networking: network), ResourceProgressBar(frame: .zero))
        }
        network.answer(.get, "/a", with: .held)
        let resource = service.resource("/a")
        bar.model.follow(resource)
        #expect(bar.isHidden)
        let load = resource.load()
        clock.advance(by: 0.4)
        #expect(!bar.isHidden)
        #expect(abs(bar.shownFraction - (bar.model.fraction ?? 0)) < 0.0001)
        try await network.exchange(1).respond(with: .json("{}"))
        await load.completion()
        for _ in 0..<100 { clock.advance(by: 0.05) }
        #expect(bar.isHidden)
    }
}
