import Foundation
import HTTPRules
import SiestaCore

/// Waits for the network after an attempt that has failed because there is none.
@MainActor
final class OfflineStep: ExchangeStep {
    /// The longest wait in seconds.
    private let limit: TimeInterval

    init(limit: TimeInterval) {
        self.limit = limit
    }

    func prepare(_ exchange: Exchange, _ index: Int) -> Preparation {
        _ = exchange.startHistory()
        exchange.resource?.context.device.start()  // May run code of the app.
        return .proceed
    }

    func judge(_ info: inout ResponseInfo, _ arrival: Arrival, of exchange: Exchange, _ index: Int) -> Judgement {
        guard case .failure(let error) = info.response, !error.isCancellation, let history = exchange.history,
            let device = exchange.resource?.context.device,
            exchange.failure(error, arrival)?.isUnaffectedByRepetition ?? false,
            // The network status may be code of the app, which may cancel the request.
            !device.isConnected, exchange.isJudging
        else { return .accept }
        extendLifetime(Swift.exchange(&history.lastError, with: error))  // The old error may run code of the app.
        let now = exchange.clock.monotonicTime
        let end = exchange[memory: index] == 0 ? now + limit : TimeInterval(bitPattern: exchange[memory: index])
        exchange[memory: index] = end.bitPattern
        guard end > now else { return .accept }
        history.number += 1
        return .again(.network) { Self.wait($0, until: end, error, device) }
    }

    private static func wait(
        _ ticket: WaitTicket, until end: TimeInterval, _ error: RequestError, _ device: DeviceStatus
    ) {
        let (exchange, clock, number) = (ticket.exchange, ticket.exchange.clock, ticket.number)
        exchange.reason = .retry
        if end.isFinite {
            clock.schedule(after: end - clock.monotonicTime) { [weak exchange] in
                if let exchange { WaitTicket(exchange: exchange, number: number).refuse(error) }
            }
        }
        device.waitForNetwork(exchange) { [weak exchange] in
            if let exchange { networkReturned(WaitTicket(exchange: exchange, number: number)) }
        }
        SiestaLog.log(.network, [exchange.resource, "waits for the network"])
        exchange.showWait(.offline, until: nil)
    }

    /// Makes the next attempt a short time after the network has returned, because many requests may have waited. The
    /// wait for the network has ended, so that its limit no longer counts.
    private static func networkReturned(_ ticket: WaitTicket) {
        let exchange = ticket.exchange
        guard let next = exchange.replaceWait(of: ticket, by: .retry) else { return }
        exchange.history?.retry = next
        let delay = exchange.spaced(RetryRules.minimumDelay + exchange.clock.fraction * 0.4)
        exchange.clock.schedule(after: delay) { [weak exchange, number = next.number] in
            if let exchange { WaitTicket(exchange: exchange, number: number).proceed() }
        }
    }

    func end(_ exchange: Exchange, _ index: Int) {
        exchange.resource?.context.device.stopWaiting(exchange)
    }
}

extension RetryRules.Failure {
    /// True if the request can be sent again without a second effect on the server, whatever the policy is.
    fileprivate var isUnaffectedByRepetition: Bool {
        guard isRepeatable, case .connection(let isUnsent) = cause else { return false }
        return isUnsent || HTTPMethods.isRepeatable(method, hasKey: hasIdempotencyKey)
    }
}
