import Foundation
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The exchanges of a recording, by consecutive numbers. If there are too many, the oldest are dropped.
struct RecordedExchanges: Sendable {
    let maximumCount: Int
    let maximumCost: Int
    let bodyLimit: Int
    private var exchanges: [RecordedExchange] = []
    private var firstNumber = 0
    private var cost = 0
    /// The number of exchanges that were dropped since the start of the recording.
    private(set) var droppedCount = 0

    init(maximumCount: Int, maximumCost: Int, bodyLimit: Int) {
        (self.maximumCount, self.maximumCost, self.bodyLimit) = (max(maximumCount, 1), maximumCost, bodyLimit)
    }

    /// The exchanges that have ended and the event streams that are open, in the order of their starts.
    var shown: [RecordedExchange] { exchanges.filter { $0.end != nil || $0.isOpenStream } }

    /// Adds an exchange. Returns its number, and the exchanges that were dropped.
    mutating func add(_ exchange: RecordedExchange) -> (number: Int, dropped: [RecordedExchange]) {
        let number = firstNumber + exchanges.count
        exchanges.append(exchange)
        cost += exchange.cost
        return (number, shrink())
    }

    /// Records an event, and returns the exchanges that were dropped. If the exchange was dropped before, nothing changes.
    mutating func receive(_ event: ExchangeEvent, of number: Int, at time: TimeInterval) -> [RecordedExchange] {
        guard let index = index(of: number) else { return [] }
        let former = exchanges[index].cost
        exchanges[index].receive(event, at: time, bodyLimit: bodyLimit)
        cost += exchanges[index].cost - former
        return shrink()
    }

    /// Returns true if the exchange has ended, or was dropped.
    func isOver(_ number: Int) -> Bool { index(of: number).map { exchanges[$0].end != nil } ?? true }

    /// Sets the metrics of an exchange.
    mutating func setMetrics(_ metrics: RequestMetrics?, of number: Int) {
        if let index = index(of: number) { exchanges[index].metrics = metrics }
    }

    /// Returns all exchanges, and begins a new recording.
    mutating func removeAll() -> [RecordedExchange] {
        firstNumber += exchanges.count
        (cost, droppedCount) = (0, 0)
        defer { exchanges = [] }
        return exchanges
    }

    private func index(of number: Int) -> Int? {
        exchanges.indices.contains(number - firstNumber) ? number - firstNumber : nil
    }

    /// Drops the oldest exchanges until the limits are met, and returns them.
    private mutating func shrink() -> [RecordedExchange] {
        var count = 0
        while count < exchanges.count, exchanges.count - count > maximumCount || cost > maximumCost {
            cost -= exchanges[count].cost
            count += 1
        }
        guard count > 0 else { return [] }
        let dropped = Array(exchanges.prefix(count))
        exchanges.removeFirst(count)
        firstNumber += count
        droppedCount += count
        return dropped
    }
}
