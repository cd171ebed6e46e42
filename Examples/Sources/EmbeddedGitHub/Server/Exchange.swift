import Dispatch
import Foundation

/// Turns requests into deliveries, and keeps the log. Callable from any thread.
final class Exchange: Sendable {
    /// How many log entries are kept.
    static let logLimit = 500

    private struct State: Sendable {
        var hub: Hub
        var behaviour: EmbeddedGitHub.Behaviour
        var log: [EmbeddedGitHub.ServedRequest] = []
        var observers: [@Sendable (EmbeddedGitHub.ServedRequest) -> Void] = []
    }

    private let state: Guarded<State>
    private let now: @Sendable () -> Moment
    private let queue = DispatchQueue(label: "EmbeddedGitHub.served")

    init(hub: Hub, behaviour: EmbeddedGitHub.Behaviour, now: @escaping @Sendable () -> Moment) {
        state = Guarded(State(hub: hub, behaviour: behaviour))
        self.now = now
    }

    var behaviour: EmbeddedGitHub.Behaviour {
        get { state.withLock(\.behaviour) }
        set { state.withLock { $0.behaviour = newValue } }
    }

    var served: [EmbeddedGitHub.ServedRequest] {
        state.withLock(\.log)
    }

    func onServed(_ observer: @escaping @Sendable (EmbeddedGitHub.ServedRequest) -> Void) {
        state.withLock { $0.observers.append(observer) }
    }

    var applied: [EmbeddedGitHub.AppliedWrite] {
        state.withLock(\.hub.ledger.writes)
    }

    var tokenRequestCount: Int {
        state.withLock(\.hub.authorization.tokenRequestCount)
    }

    func revokeTokens(of login: String, keepingRefreshTokens: Bool) {
        state.withLock {
            $0.hub.authorization.revokeTokens(of: login, keepingRefreshTokens: keepingRefreshTokens)
        }
    }

    /// Decides, records, and tells the observers, in one order that all of them agree on.
    func answer(_ request: HTTPRequest) -> Delivery {
        state.withLock { state in
            let now = now()
            var behaviour = state.behaviour
            if request.isOfAuthorization { behaviour.fault = nil }
            let fault = behaviour.fault
            let asked = fault?.needsContent == true ? request.unconditional : request
            let response = state.hub.answer(
                asked, at: now, fault: fault, quotaReset: behaviour.quotaReset,
                avatarFaults: behaviour.avatarFaults)
            let delivery = Self.delivery(of: response, to: request, behaviour)
            let entry = EmbeddedGitHub.ServedRequest(
                method: request.method, target: request.target.raw, status: delivery.status,
                isConditional: request.isConditional, login: state.hub.login(of: request, at: now))
            record(entry, in: &state)
            return delivery
        }
    }

    /// Returns the events after one as a stream sends them, and the number of the last event; nil if streams are cut.
    func news(after id: Int) -> (bytes: [UInt8], lastID: Int)? {
        state.withLock { state in
            state.behaviour.cutsStreams ? nil : (state.hub.feed.stream(after: id), state.hub.feed.lastID)
        }
    }

    /// Answers what is not a request.
    func refuse(status: Int) -> Delivery {
        state.withLock { state in
            let response = state.hub.refuse(status: status, at: now())
            let entry = EmbeddedGitHub.ServedRequest(
                method: "-", target: "-", status: status, isConditional: false, login: nil)
            record(entry, in: &state)
            return Delivery(response, isHead: false, keepsAlive: false)
        }
    }

    private func record(_ entry: EmbeddedGitHub.ServedRequest, in state: inout State) {
        if state.log.count == Self.logLimit { state.log.removeFirst() }
        state.log.append(entry)
        for observer in state.observers { queue.async { observer(entry) } }
    }

    private static func delivery(
        of response: HTTPResponse, to request: HTTPRequest, _ behaviour: EmbeddedGitHub.Behaviour
    ) -> Delivery {
        var response = response
        if behaviour.cutsStreams, response.streamsAfter != nil { return Delivery(nonsense: []) }
        switch behaviour.fault {
        case .garbage: return Delivery(nonsense: garbage)
        case .noAnswer: return Delivery(nonsense: [])
        case .silentWrites where Ledger.isWrite(request.method) && response.status < 300: return .silent
        case .brokenJSON where response.status == 200: response = response.broken
        default: break
        }
        return Delivery(response, isHead: request.isHead, keepsAlive: request.keepsAlive, behaviour: behaviour)
    }

    /// Looks like no version of HTTP.
    private static let garbage = [0x00, 0xFF, 0x1B] + Array("[2J~~ \u{1F4A5} this is not HTTP ~~\r\n\r\n\r\n".utf8)
}

extension EmbeddedGitHub.Behaviour.Fault {
    /// Whether it shows in the content only, so that 304 would hide it.
    fileprivate var needsContent: Bool { self == .cutBody || self == .brokenJSON }
}

extension HTTPRequest {
    /// Whether it goes to the OAuth 2.0 server, which the faults of the API do not concern.
    fileprivate var isOfAuthorization: Bool {
        if case .endpoint(let endpoint, _) = Route(method: method, segments: target.segments) {
            endpoint.isOfAuthorization
        } else {
            false
        }
    }

    fileprivate var unconditional: HTTPRequest {
        var request = self
        request.headers["If-None-Match"] = nil
        request.headers["If-Modified-Since"] = nil
        return request
    }
}

extension HTTPResponse {
    /// With content that is no JSON, and without validators that belong to the real one.
    fileprivate var broken: HTTPResponse {
        var response = self
        response.body = Array("<html>{\"total_count\": 12, \"items\": [{".utf8)
        response.headers["ETag"] = nil
        response.headers["Last-Modified"] = nil
        return response
    }
}
