import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import Testing
import Waiting

@testable import SiestaLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A service with orders, whose changes a stream brings. The stream of an event names the order in its type.
@MainActor
struct LiveService {
    let clock = TestClock()
    let network = StubNetwork()
    let service: Service

    struct Order: Codable, Sendable, Equatable {
        var state: String
        var count = 0
    }

    /// The update of an event whose data is `{"v": version, "base": base, "kind": kind, "body": …}`.
    static let update: LiveSource.Update = { event, url in
        guard event.type == url.lastPathComponent || event.type == "all" else { return nil }
        let words = event.data.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        let version = words[1] == "-" ? nil : LiveVersion(words[1])
        let base = words[2] == "-" ? nil : LiveVersion(words[2])
        switch words[0] {
        case "replace": return .replace(words[3], version: version)
        case "merge": return .merge(words[3], base: base, version: version)
        case "patch": return .patch(words[3], base: base, version: version)
        case "invalidate": return version.map { .invalidate(version: $0) } ?? .invalidate
        case "remove": return .remove(version: version)
        case "reset": return .reset
        default: throw CancellationError()
        }
    }

    init(_ change: @escaping @MainActor (inout LiveSource) -> Void = { _ in }) {
        let network = network
        service = clock.whileCurrent { Service(baseURL: "https://api.test", networking: network) }
        service.configure("/orders/*") {
            var source = LiveSource.eventSource("/events", update: Self.update)
            change(&source)
            $0.live = source
        }
        service.decode("/orders/*", as: Order.self)
        network.answer(.get, "/events", with: .stream())
    }

    func order(_ number: Int) -> Resource { service.resource("/orders/\(number)") }

    func answer(_ number: Int, _ state: String, version: Int) {
        network.answer(
            .get, "/orders/\(number)",
            with: .json(#"{"state":"\#(state)","count":0}"#, headers: ["ETag": "\"\(version)\""]))
    }

    /// The exchange of the stream that was opened last.
    var stream: StubExchange? { network.exchanges.last { $0.request.url?.path == "/events" } }

    var streamCount: Int { network.requests.count { $0.url?.path == "/events" } }

    func loads(of number: Int) -> Int { network.requests.count { $0.url?.path == "/orders/\(number)" } }

    /// Observes a resource that is loaded, and waits until it is live.
    func observe(_ number: Int, by owner: AnyObject, state: String = "new", version: Int = 1) async throws -> Resource {
        answer(number, state, version: version)
        let order = order(number)
        order.addObserver(owner: owner) { _, _ in }
        order.loadIfNeeded()
        try await Poll.until { order.live.isLive }
        return order
    }

    /// Lets the time pass until the next connection.
    func reconnect() async throws {
        try await clock.waitForTimers(1)
        clock.advance(by: 30)
    }

    func send(_ type: String, _ text: String, id: String? = nil) {
        stream?.send((id.map { "id: \($0)\n" } ?? "") + "event: \(type)\ndata: \(text)\n\n")
    }
}

extension Resource {
    var order: LiveService.Order? { latestData?.content as? LiveService.Order }
}

final class Owner {}
