import Foundation
import FuzzDriver
import HTTPRules

@main
struct CachingFuzzer {
    static func main() {
        runFuzzer { fuzz($0, $1) }
    }
}

/// The names of the fields to which the lines of an input belong, in this order.
private let names = [
    "cache-control", "vary", "age", "expires", "date", "last-modified", "clear-site-data", "if-none-match", "etag",
    "connection", "pragma",
]

/// The number of inputs. libFuzzer calls the test on one thread.
nonisolated(unsafe) private var inputs = 0

/// Takes the lines of an input for the header fields of a response and of a request, and checks that nothing is fresher
/// than the fields allow. Some inputs are also repeated up to 1 MB, which must be fast.
private func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    let lines = input.split(separator: 0x0A, omittingEmptySubsequences: false)
    var fields: [String: String] = [:]
    for (name, line) in zip(names, lines) where !line.isEmpty {
        fields[name] = String(decoding: line, as: UTF8.self)
    }
    let seed = Int(input.first ?? 0) + Int(input.last ?? 0) << 8
    checkParsers(fields)
    for kind in [CachePolicy.Kind.private, .shared] { checkLifetime(kind, fields, seed: seed) }
    inputs += 1
    if count > 0, inputs.isMultiple(of: 10_000) { checkTime(String(decoding: input, as: UTF8.self)) }
    return 0
}

private func checkParsers(_ fields: [String: String]) {
    let control = CacheControl(fields["cache-control"])
    precondition(
        control.noCacheFields.count <= CacheControl.nameLimit && !(control.noCache && !control.noCacheFields.isEmpty))
    precondition(
        [control.maxAge, control.sharedMaxAge, control.maxStale, control.minFresh].allSatisfy { $0 ?? 0 <= 1 << 31 })
    // A repeated field adds nothing.
    if let value = fields["cache-control"], !value.contains("\"") {
        precondition(
            CacheControl(value + ", " + value) == control || control.noCacheFields + control.privateFields != [])
    }
    let vary = VaryField(fields["vary"])
    precondition(vary.names.count <= VaryField.nameLimit && (!vary.isAny || vary.names.isEmpty))
    precondition(vary.names.allSatisfy { !$0.isEmpty && $0.utf8.count <= VaryField.nameLengthLimit })
    precondition(vary.matches(stored: fields, new: fields) == !vary.isAny)
    precondition(vary.matches(stored: vary.selectingFields(of: fields), new: fields) == !vary.isAny)
    precondition(AgeField.seconds(fields["age"]) ?? 0 <= 1 << 31)
    if ClearSiteData(fields["clear-site-data"]).clearsCache {
        precondition(fields["clear-site-data"].map { $0.contains("\"cache\"") || $0.contains("\"*\"") } == true)
    }
    let storable = StoredFields.storable(fields)
    precondition(storable["connection"] == nil && StoredFields.storable(storable) == storable)
    precondition(StoredFields.updated(storable, by: fields) == storable)
    precondition(StoredFields.selection(of: fields, by304: fields) != .mismatch)
    precondition(StoredFields.isConfirmed(fields, byHead: fields))
}

private func checkLifetime(_ kind: CachePolicy.Kind, _ fields: [String: String], seed: Int) {
    let (policy, control) = (CachePolicy(kind), CacheControl(fields["cache-control"]))
    let statuses = [200, 200, 404, 500, 302, 206, 599]
    let arrival = 752_575_777.0
    let stored = policy.lifetime(
        of: fields, status: statuses[seed % statuses.count], requestTime: arrival - 1, responseTime: arrival,
        fallback: 30)
    precondition(stored.initialAge >= 1 && stored.lifetime <= 1 << 31)
    if !stored.isStorable { precondition(stored.lifetime == 0 && stored.staleWhileRevalidate == 0) }
    if control.noCache || control.noStore && !control.mustUnderstand { precondition(stored.forbidsStale) }
    switch stored.reason {
    case .maxAge: precondition(control.maxAge == stored.lifetime)
    case .sharedMaxAge: precondition(kind == .shared && control.sharedMaxAge == stored.lifetime)
    case .heuristic: precondition(stored.lifetime <= 86_400 && control.maxAge == nil)
    case .fallback: precondition(stored.lifetime == 30 && control.maxAge == nil && fields["expires"] == nil)
    case .expires: precondition(control.maxAge == nil && fields["expires"] != nil)
    case .none, .noCache, .noStore, .varyAny, .redirect: precondition(stored.lifetime == 0)
    }
    checkVerdicts(policy, stored, RequestDirectives(fields))
}

private func checkVerdicts(_ policy: CachePolicy, _ stored: ResponseLifetime, _ request: RequestDirectives) {
    for age in [stored.initialAge, Double(stored.lifetime), stored.initialAge + 40, .infinity, .nan] {
        let verdict = policy.verdict(stored, age: age, request: request)
        if verdict == .fresh { precondition(age < Double(stored.lifetime) && !request.noCache) }
        if case .stale(let reason) = verdict {
            precondition(!stored.forbidsStale && !request.noCache && reason != .staleIfError && reason != .unreachable)
        }
        if request.onlyIfCached { precondition(verdict != .revalidate && verdict != .fetch) }
        for failure in [CachePolicy.Failure.status(503), .unreachable] {
            let late = policy.verdict(stored, age: age, request: request, after: failure)
            if late == .fresh { precondition(age < Double(stored.lifetime)) }
            if late != nil, late != .fresh { precondition(!stored.forbidsStale) }
            if verdict == .fresh { precondition(late == .fresh) }
        }
        if case .stale = policy.verdict(stored, age: age, request: RequestDirectives()) {
            precondition(age - Double(stored.lifetime) <= Double(stored.staleWhileRevalidate))
        }
    }
}

/// A text of 1 MB takes a few milliseconds. The limit is far above that, and far below quadratic time.
private func checkTime(_ part: String) {
    let text = String(repeating: part, count: 1_000_000 / part.utf8.count)
    let start = ContinuousClock.now
    var fields: [String: String] = [:]
    for name in names { fields[name] = text }
    checkParsers(fields)
    checkLifetime(.private, fields, seed: 0)
    precondition(ContinuousClock.now - start < .seconds(3))
}
