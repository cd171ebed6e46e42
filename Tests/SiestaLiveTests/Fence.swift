import SiestaCore
import Waiting

/// Waits until everything that the stream has sent was carried out. For this purpose, it observes a resource of its own.
@MainActor
final class Fence {
    private let live: LiveService
    private let order: Resource
    private var count = 0

    init(_ live: LiveService) async throws {
        self.live = live
        order = try await live.observe(99, by: live.network)
    }

    func pass() async throws {
        count += 1
        live.send("99", #"replace \#(count + 1) - {"state":"fence","count":\#(count)}"#)
        try await Poll.until { order.order?.count == count }
    }
}
