import Foundation
import SiestaCore

/// One request as the time line shows it. Contains no secret.
struct RequestRow: Sendable {
    /// The number of the event with which the request started.
    let id: Int
    let url: String
    let resource: Int
    let origin: String
    let method: String
    let isLoad: Bool
    /// The reason as a text, for example `loadIfNeeded`.
    var reason: String?
    /// The start, in seconds since 1970, and on the monotonic clock.
    let start: Double
    let uptime: TimeInterval
    var attempts = 0
    var retries = 0
    var wait: String?
    var outcome: String?
    var status: Int?
    var failure: String?
    /// The duration in seconds; nil while the request runs.
    var duration: TimeInterval?
    var metrics: RequestMetrics?
    /// The stages, transformers and durations of the pipeline.
    var transformations: [Transformation] = []

    /// The application of a transformer.
    struct Transformation: Sendable {
        let stage: String
        let transformer: String
        let duration: TimeInterval
        let hasFailed: Bool
    }

    mutating func noteAttempt(_ attempt: Int, _ reason: ActivityEvent.SendReason) {
        (attempts, wait) = (max(attempts, attempt), nil)
        if reason == .retry { retries += 1 }
    }

    mutating func note(_ end: ActivityEvent.RequestEnd, after duration: TimeInterval) {
        (outcome, status, metrics, self.duration) = ("\(end.outcome)", end.status, end.metrics, max(0, duration))
        failure = end.failure.map { PreparedText.line($0, limit: 500) }
        attempts = max(attempts, end.metrics?.attempts ?? 0)
    }

    func write(to json: inout JSONText) {
        json.object { json in
            json.member("id", id)
            json.member("url", url)
            json.member("resource", resource)
            json.member("method", method)
            json.member("load", ifTrue: isLoad)
            json.member("reason", reason)
            json.member("start", start)
            json.member("attempts", attempts)
            json.member("wait", duration == nil ? wait : nil)
            json.member("outcome", outcome)
            json.member("status", status)
            json.member("failure", failure)
            json.member("duration", duration)
            json.member("transformations", transformations) { step, json in
                json.object { json in
                    json.member("stage", PreparedText.line(step.stage, limit: 100))
                    json.member("name", PreparedText.line(step.transformer, limit: 200))
                    json.member("seconds", step.duration)
                    json.member("failed", ifTrue: step.hasFailed)
                }
            }
            if let metrics { write(metrics, to: &json) }
        }
    }

    private func write(_ metrics: RequestMetrics, to json: inout JSONText) {
        json.name("metrics")
        json.object { json in
            json.member("lookup", metrics.nameLookup)
            json.member("connect", metrics.connect)
            json.member("tls", metrics.secureConnect)
            json.member("first", metrics.firstByte)
            json.member("total", metrics.total)
            json.member("sent", Int(clamping: metrics.requestBytes))
            json.member("received", Int(clamping: metrics.responseBytes))
            json.member("version", metrics.httpVersion)
            json.member("reused", ifTrue: metrics.isReusedConnection ?? false)
            json.member("redirects", metrics.redirects)
        }
    }
}
