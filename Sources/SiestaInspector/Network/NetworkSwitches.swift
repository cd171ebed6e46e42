import Foundation
import SiestaCore

/// The faults that the page can add to the network of a service. Pure.
struct NetworkSwitches: Sendable, Equatable {
    /// True if all requests fail as they do without a network.
    var isOffline = false
    /// The time by which each request is delayed, in seconds.
    var delay: TimeInterval = 0
    /// The part of the requests that fail, from 0 to 1.
    var failureRate = 0.0
    /// The status of failed requests; nil if their connection is lost.
    var failureStatus: Int? = 503
    /// The origins whose requests all fail.
    var failingOrigins: Set<String> = []

    /// The longest delay, in seconds.
    static let maximumDelay: TimeInterval = 60

    /// True if no request is changed.
    var isOff: Bool { !isOffline && delay <= 0 && failureRate <= 0 && failingOrigins.isEmpty }

    /// Returns what happens to a request for this origin.
    ///
    /// - Parameter random: a random number from 0 to 1, without 1.
    func decision(for origin: String, random: Double) -> ExchangeDecision {
        guard !isOffline else { return ExchangeDecision(delay: delay, substitute: .failure(.notConnectedToInternet)) }
        guard failingOrigins.contains(origin) || random < failureRate else { return ExchangeDecision(delay: delay) }
        return ExchangeDecision(
            delay: delay, substitute: failureStatus.map { .status($0) } ?? .failure(.networkConnectionLost))
    }

    func write(to json: inout JSONText) {
        json.object { json in
            json.name("offline")
            json.value(isOffline)
            json.member("delay", delay)
            json.member("rate", failureRate)
            json.name("status")
            json.value(failureStatus ?? 0)
            json.name("origins")
            json.array { json in for origin in failingOrigins.sorted() { json.value(origin) } }
        }
    }
}
