import Dispatch
import Foundation
import Isolation
import LoopbackServer
import SiestaTesting

/// An origin server that replies as a sequence says. Its clock is the clock of the test.
final class ScriptedOrigin: Sendable {
    private struct State: Sendable {
        var step: CacheSequence.Step?
        var number = 0
        var requests: [[String: String]] = []
    }

    private let state: Locked<State>
    private let server: LoopbackServer

    @MainActor
    init(_ clock: TestClock) throws {
        let state = Locked(State())
        self.state = state
        server = try LoopbackServer { exchange in
            let (step, number) = state.withLock { state in
                state.requests.append(exchange.request.fieldsByName)
                return (state.step, state.number)
            }
            guard let step, !step.reply.isClosing else { return exchange.close() }
            if exchange.request.target == "/hop" {
                return try exchange.respond(302, headers: ["Location: /target"])
            }
            if exchange.request.target.hasPrefix("/target") {
                let lifetime = exchange.request.target == "/target" ? 3600 : 1
                let permission = exchange.request.target == "/target/swr" ? ", stale-while-revalidate=60" : ""
                let date = exchange.request.target == "/target/old" ? ["Date: Mon, 01 Jan 0001 00:00:00 GMT"] : []
                return try exchange.respond(
                    headers: ["Cache-Control: max-age=\(lifetime)\(permission)"] + date, text: "target")
            }
            if step.delay > 0 { Self.advance(clock, by: step.delay) }
            let origin = "http://\(exchange.request.header("host") ?? "")"
            let text = OriginText(now: clock.wallTime, origin: origin)
            try exchange.send(step.reply.text(to: exchange.request, number: number, text))
            if step.reply.isIncomplete { exchange.close() }
        }
    }

    /// The address, without a slash at its end.
    var address: String { "http://127.0.0.1:\(server.port)" }

    func prepare(_ step: CacheSequence.Step, number: Int) {
        state.withLock { $0 = State(step: step, number: number) }
    }

    /// The header fields of the requests since the last call of ``prepare(_:number:)``.
    var requests: [[String: String]] { state.withLock { $0.requests } }

    func stop() { server.stop() }

    /// Lets time pass between a request and its response.
    private static func advance(_ clock: TestClock, by seconds: Double) {
        DispatchQueue.main.sync { MainActor.assumeIsolated { clock.advance(by: seconds) } }
    }
}

extension ReceivedRequest {
    /// The header fields by their names in lower case. Repeated fields are joined.
    fileprivate var fieldsByName: [String: String] {
        Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
    }
}

extension Reply {
    /// Returns the bytes of the reply to a request.
    fileprivate func text(to request: ReceivedRequest, number: Int, _ text: OriginText) -> Data {
        let isConditional = request.header("if-none-match") != nil || request.header("if-modified-since") != nil
        let confirmation = isConditional ? confirmation : nil
        let status = confirmation == nil ? status : 304
        let body = Data((body ?? "response \(number)").utf8)
        var lines = (confirmation ?? fields).map(text.expanded)
        if !lines.contains(where: { $0.lowercased().hasPrefix("date:") }) { lines.append(text.expanded("Date: {now}")) }
        lines.removeAll { $0 == "Date:" }
        let hasLength = lines.contains { $0.lowercased().hasPrefix("content-length:") }
        let hasBody = ![204, 304].contains(status)
        if hasBody, !hasLength { lines.append("Content-Length: \(body.count + (isIncomplete ? 5 : 0))") }
        let heads = interim.map { "HTTP/1.1 \($0)\r\n\r\n" }.joined()
        let head = (["HTTP/1.1 \(status) Scripted"] + lines + ["", ""]).joined(separator: "\r\n")
        return Data(heads.utf8) + Data(head.utf8) + (hasBody && request.method != "HEAD" ? body : Data())
    }
}

/// Replaces the texts in braces in the fields of a reply.
private struct OriginText {
    let now: TimeInterval
    let origin: String

    func expanded(_ line: String) -> String {
        guard let start = line.firstIndex(of: "{"), let end = line[start...].firstIndex(of: "}") else { return line }
        let name = line[line.index(after: start)..<end]
        let rest = expanded(String(line[line.index(after: end)...]))
        return line[..<start] + (name == "origin" ? origin : date(name)) + rest
    }

    /// Returns the date for `now+60` or `now+60|pattern`.
    private func date(_ name: Substring) -> String {
        let parts = name.split(separator: "|", maxSplits: 1)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = parts.count > 1 ? String(parts[1]) : "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let offset = TimeInterval(parts[0].dropFirst(3)) ?? 0
        return formatter.string(from: Date(timeIntervalSinceReferenceDate: now + offset))
    }
}
