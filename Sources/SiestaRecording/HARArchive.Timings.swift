package import Foundation
import SiestaCore

extension HARArchive {
    /// The durations of the phases of an exchange, in seconds. A phase is nil if it did not happen or was not measured.
    package struct Timings: Sendable, Equatable {
        /// The duration of the look-up of the host name.
        package var nameLookup: TimeInterval?

        /// The time to establish the connection, with the TLS handshake.
        package var connect: TimeInterval?

        /// The duration of the TLS handshake.
        package var secureConnect: TimeInterval?

        /// The time from the established connection to the first byte of the response. It contains the time to send the
        /// request, because the providers do not measure this time.
        package var wait: TimeInterval

        /// The time from the first byte to the end of the response.
        package var receive: TimeInterval

        /// Creates timings.
        package init(wait: TimeInterval = 0, receive: TimeInterval = 0) {
            (self.wait, self.receive) = (wait, receive)
        }

        /// Creates the timings of an exchange that took `time` seconds, from the metrics of the provider if there are
        /// any. `wait` is the time until the head of the response; nil if it is unknown.
        init(_ metrics: RequestMetrics?, time: TimeInterval, wait: TimeInterval? = nil) {
            guard let metrics else {
                let wait = wait ?? time
                self.init(wait: wait, receive: max(0, time - wait))
                return
            }
            let named = metrics.nameLookup ?? 0
            let connected = max(metrics.secureConnect ?? metrics.connect ?? named, named)
            let responded = max(metrics.firstByte ?? metrics.total, connected)
            self.init(wait: responded - connected, receive: max(0, metrics.total - responded))
            nameLookup = metrics.nameLookup
            connect = metrics.connect == nil && metrics.secureConnect == nil ? nil : connected - named
            secureConnect = metrics.secureConnect.map { max(0, $0 - (metrics.connect ?? named)) }
        }

        /// The sum of all phases. The TLS handshake is a part of the connection phase.
        var total: TimeInterval { (nameLookup ?? 0) + (connect ?? 0) + wait + receive }
    }
}

extension HARArchive.Timings: Codable {
    private enum CodingKeys: String, CodingKey {
        case blocked, dns, connect, ssl, send, wait, receive
    }

    /// Reads timings in milliseconds. Negative numbers, which stand for missing phases, become nil or 0.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func seconds(_ key: CodingKeys) throws -> TimeInterval? {
            try fields.decodeIfPresent(Double.self, forKey: key).flatMap { $0 < 0 ? nil : $0 / 1000 }
        }
        self.init(wait: try seconds(.wait) ?? 0, receive: try seconds(.receive) ?? 0)
        wait += try seconds(.send) ?? 0
        nameLookup = try seconds(.dns)
        connect = try seconds(.connect)
        secureConnect = try seconds(.ssl)
    }

    /// Writes the timings in milliseconds, with -1 for missing phases.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        func encode(_ seconds: TimeInterval?, _ key: CodingKeys) throws {
            try fields.encode(seconds.map { ($0 * 1000).rounded(toPlaces: 3) } ?? -1, forKey: key)
        }
        try encode(nil, .blocked)
        try encode(nameLookup, .dns)
        try encode(connect, .connect)
        try encode(secureConnect, .ssl)
        try encode(0, .send)
        try encode(wait, .wait)
        try encode(receive, .receive)
    }
}
