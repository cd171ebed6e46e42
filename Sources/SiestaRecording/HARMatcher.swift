import Foundation
import SiestaCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Finds the entry of a recording for each request. Pure: the state is the set of used entries.
struct HARMatcher {
    /// A request that needs an answer.
    struct Question {
        let request: URLRequest
        /// The body; nil if it is unknown.
        let body: Data?

        init(_ request: URLRequest, body: Data?) {
            (self.request, self.body) = (request, body)
        }

        var method: String { (request.httpMethod ?? "GET").uppercased() }
    }

    /// An entry and its prepared address.
    private struct Candidate {
        let entry: HARArchive.Entry
        let address: HARAddress
        let body: HARBodyComparison.Recorded
        var isUsed = false

        /// True if the app cancelled the request. Such an entry contains no answer, unless it is that of an event stream.
        var isCancelled: Bool { entry.isCancelled && !entry.isEventStream }
    }

    private let redactor: HARRedactor
    private let isStrict: Bool
    private var candidates: [Candidate]
    private let indices: [HARAddress.Place: [Int]]
    /// The first entry that a strict replay has not reached.
    private var position = 0

    init(_ entries: [HARArchive.Entry], isStrict: Bool, redactor: HARRedactor) {
        (self.redactor, self.isStrict) = (redactor, isStrict)
        candidates = entries.map {
            let address = HARAddress(method: $0.request.method, url: $0.request.url, redactor)
            return Candidate(entry: $0, address: address, body: HARBodyComparison.Recorded($0.request.body))
        }
        indices = Dictionary(grouping: candidates.indices) { [candidates] in candidates[$0].address.place }
    }

    var unusedEntries: [HARArchive.Entry] { candidates.filter { !$0.isUsed }.map(\.entry) }

    /// Returns the entry that answers a request, and marks it as used.
    ///
    /// - Throws: ``HARReplay/NotRecorded``
    mutating func entry(for question: Question) throws -> HARArchive.Entry {
        let url = question.request.url?.absoluteString ?? ""
        let address = HARAddress(method: question.method, url: url, redactor)
        let index = isStrict ? try strictIndex(question, address) : try freeIndex(question, address)
        candidates[index].isUsed = true
        return candidates[index].entry
    }

    // MARK: Strict

    private mutating func strictIndex(_ question: Question, _ address: HARAddress) throws -> Int {
        while position < candidates.count, candidates[position].isCancelled,
            !candidates[position].address.matches(address)
        {
            position += 1
        }
        guard position < candidates.count else {
            throw notRecorded(question, address, "All \(candidates.count) entries of the recording were used.")
        }
        let next = candidates[position]
        let name = "The next entry of the recording, number \(position + 1), is " + next.address.name
        guard next.address.matches(address) else { throw notRecorded(question, address, "\(name).") }
        guard isConditionMet(next.entry, question) else {
            throw notRecorded(
                question, address,
                "\(name), with status \(next.entry.response.status), but the request has not the same condition or range."
            )
        }
        guard withSameBody([position], question) == [position] else {
            throw notRecorded(question, address, "\(name), but its request has another body.")
        }
        position += 1
        return position - 1
    }

    // MARK: By method and URL

    private func freeIndex(_ question: Question, _ address: HARAddress) throws -> Int {
        let recorded = (indices[address.place] ?? []).filter { candidates[$0].address.matches(address) }
        let usable = recorded.filter {
            !candidates[$0].isCancelled && isConditionMet(candidates[$0].entry, question)
        }
        let same = usable.count > 1 ? withSameBody(usable, question) : usable
        let pool = same.isEmpty ? usable : same
        guard let index = pool.first(where: { !candidates[$0].isUsed }) ?? pool.last else {
            let reason = "It was recorded only with another condition or range, or as a cancelled request."
            throw notRecorded(question, address, recorded.isEmpty ? nil : reason)
        }
        return index
    }

    // MARK: Conditions of a match

    /// Returns false if the response says that something did not change which the client may not have (RFC 9110
    /// §15.4.5), or is a part that the client does not request (RFC 9110 §15.3.7).
    private func isConditionMet(_ entry: HARArchive.Entry, _ question: Question) -> Bool {
        let names: [String]
        switch entry.response.status {
        case 206: names = ["Range"]
        case 304:
            names = ["If-None-Match", "If-Modified-Since"]
            guard names.contains(where: { question.request.value(forHTTPHeaderField: $0) != nil }) else { return false }
        default: return true
        }
        return names.allSatisfy { name in
            let recorded = entry.request.headers.first { $0.name.lowercased() == name.lowercased() }?.value
            return recorded == nil || recorded == question.request.value(forHTTPHeaderField: name)
        }
    }

    /// Returns the entries that may have the same body as the request.
    private func withSameBody(_ indices: [Int], _ question: Question) -> [Int] {
        guard let body = question.body else { return indices }
        let contentType = question.request.value(forHTTPHeaderField: "Content-Type") ?? ""
        var comparison = HARBodyComparison(body, contentType: contentType, redactor)
        return indices.filter { comparison.isEqual(to: candidates[$0].body) }
    }

    // MARK: Errors

    private func notRecorded(_ question: Question, _ address: HARAddress, _ reason: String?) -> HARReplay.NotRecorded {
        let nearest = NearestAddresses.of(address, among: candidates.lazy.map(\.address)).map(\.name)
        return HARReplay.NotRecorded(method: question.method, url: address.shownURL, reason: reason, nearest: nearest)
    }
}
