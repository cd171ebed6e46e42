import Foundation
import FuzzDriver
import HTTPRules

@main
struct RetryFieldsFuzzer {
    static func main() {
        runFuzzer { fuzz($0, $1) }
    }
}

/// Takes each line of an input for the value of one of the fields that ask a client to wait, and checks that no delay is
/// longer than a day.
private func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let lines = UnsafeBufferPointer(start: bytes, count: count).split(separator: 0x0A, omittingEmptySubsequences: false)
    let texts = lines.map { String(decoding: $0, as: UTF8.self) }
    let fields = Dictionary(zip(names, texts)) { first, _ in first }
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    for time in [now, .distantPast, .distantFuture] {
        for text in texts {
            check(RetryAfter.seconds(text, date: fields["date"], now: time))
            check(RetryAfter.seconds("Sun, \(text) GMT", date: "Sun, \(text) GMT", now: time))
            for value in [text, "\"a\";r=0;t=30;\(text)", "\"a\";r=0,\(text)", "remaining=0, reset=\(text)"] {
                check(RateLimitFields { ["ratelimit": value, "ratelimit-policy": text][$0] }.opening(now: time))
            }
            check(RateLimitFields { $0.hasSuffix("-remaining") ? "0" : text }.opening(now: time))
        }
        check(RateLimitFields { fields[$0] }.opening(now: time))
    }
    for text in texts + texts.map({ "Sun, \($0) GMT" }) {
        guard let date = HTTPDate.date(text, now: now) else { continue }
        precondition(-62_167_219_200...253_402_300_800 ~= date.timeIntervalSince1970)  // the years 0 to 9999
        if text.utf8.count == 29 {
            precondition(HTTPDate.date(text) == date || date.timeIntervalSince1970 < -12_219_292_800)
        }
    }
    return 0
}

private func check(_ seconds: TimeInterval?) {
    guard let seconds else { return }
    precondition(seconds.isFinite && 0...RetryAfter.limit ~= seconds)
}

private let names = [
    "ratelimit", "ratelimit-policy", "date", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit-remaining",
    "ratelimit-reset", "x-rate-limit-remaining", "x-rate-limit-reset",
]
