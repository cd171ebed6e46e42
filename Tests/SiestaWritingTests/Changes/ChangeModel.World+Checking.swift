import Foundation
import SiestaCore
import SiestaLists
import SiestaTesting

@testable import SiestaWriting

#if canImport(FoundationNetworking)
import FoundationNetworking
import TestDoubles
#endif

extension ChangeModel.World {
    func check() {
        guard mismatch == nil else { return }
        let illegalStep = service?.context.changes?.illegalStep
        expect(illegalStep == nil, "a change has made the step \(illegalStep ?? "")")
        for (index, thing) in things.enumerated() { check(thing, index) }
        checkSent()
        for (id, change) in changes.enumerated() {
            let (state, expected) = (change.state, model.changes[id].state)
            expect(state == expected, "change \(id) is \(state) instead of \(expected)")
            expect(
                outcomes[id] == model.changes[id].outcomes,
                "change \(id) has reported \(outcomes[id]) instead of \(model.changes[id].outcomes)")
        }
    }

    private func check(_ thing: TypedResource<Data>, _ index: Int) {
        let expected = model.shown(index)
        let pending = model.pending(index)
        let (content, snapshot) = (Self.text(thing.content), thing.snapshot)
        expect(content == expected, "thing \(index) is \(content ?? "none") instead of \(expected ?? "none")")
        expect(Self.text(snapshot.content) == expected, "the snapshot of \(index) is \(snapshot.content as Any)")
        let source = model.source(index)
        expect(
            snapshot.source == source, "the source of \(index) is \(snapshot.source as Any) instead of \(source as Any)"
        )
        let found = thing.resource.pendingChanges.map { change in changes.firstIndex { $0 === change } ?? -1 }
        expect(found == pending, "the changes of \(index) are \(found) instead of \(pending)")
        expect(thing.resource.isOptimistic == !pending.isEmpty, "isOptimistic of \(index) is wrong")
        expect(
            thing.resource.snapshot.pendingChangeCount == pending.count,
            "the snapshot counts changes of \(index) wrongly")
        expect(thing.isUpToDate == model.isFresh(index), "\(index) is \(thing.isUpToDate ? "fresh" : "stale")")
        guard index == 0 else { return }
        expect(selection?.value == expected, "the selection is \(selection?.value ?? "none")")
        let items = expected?.split(separator: " ").map(String.init) ?? []
        expect(list?.items == items, "the list is \(list?.items ?? []) instead of \(items)")
    }

    /// Compares the requests that were sent since the last comparison, and whether requests are still running.
    private func checkSent() {
        let exchanges = network.exchanges
        expect(exchanges.count == model.sent.count, "\(exchanges.count) requests instead of \(model.sent.count)")
        guard mismatch == nil else { return }
        for number in comparedCount..<exchanges.count { check(exchanges[number].request, model.sent[number], number) }
        if mismatch == nil { comparedCount = exchanges.count }
        for (number, sent) in model.sent.enumerated() where !exchanges[number].isCompleted {
            expect(sent.isOpen, "request \(number) is still running")
        }
        checkScopes()
    }

    /// Compares the address, method, body and condition of a request.
    private func check(_ request: URLRequest, _ sent: ChangeModel.Sent, _ number: Int) {
        let path = request.url?.lastPathComponent ?? ""
        expect(
            request.httpMethod == sent.method && path == "\(sent.resource)",
            "request \(number) is \(request.httpMethod ?? "") \(path)")
        let body = Self.text(request.httpBody)
        expect(body == sent.body, "request \(number) has the body \(body ?? "none") instead of \(sent.body ?? "none")")
        var headers: [String: String] = [:]
        if let condition = sent.condition { headers[condition.header.name] = condition.header.value }
        if let etag = sent.etag { headers["If-None-Match"] = etag }
        for name in ["If-Match", "If-None-Match"] {
            let value = request.value(forHTTPHeaderField: name)
            expect(
                value == headers[name],
                "request \(number) has \(name) \(value ?? "none") instead of \(headers[name] ?? "none")")
        }
    }

    /// At most one change of each scope is running.
    private func checkScopes() {
        var running: Set<String> = []
        for (sent, exchange) in zip(model.sent, network.exchanges) where !exchange.isCompleted {
            guard case .change(let id) = sent.purpose, !model.changes[id].isConcurrent else { continue }
            expect(running.insert(model.changes[id].scope).inserted, "two changes of one scope are running")
        }
    }

    /// Compares the conflicts that the app is asked about.
    func checkQuestions() {
        guard mismatch == nil else { return }
        for (id, change) in model.changes.enumerated() {
            guard let expected = change.question else {
                // The change has ended: the app may answer in vain, and later.
                if change.isPending { expect(questions[id] == nil, "the app is asked about \(id)") }
                continue
            }
            guard let conflict = questions[id]?.conflict else { return expect(false, "nobody is asked about \(id)") }
            let question = ChangeModel.Question(
                mine: Self.text(conflict.mine), base: Self.text(conflict.base), theirs: Self.text(conflict.theirs),
                status: conflict.error.httpStatusCode ?? 0)
            expect(question == expected, "the app is asked \(question) instead of \(expected)")
        }
    }

    private static func text(_ data: Data?) -> String? { data.map { String(decoding: $0, as: UTF8.self) } }

    func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
        guard !condition, mismatch == nil else { return }
        let list = steps.enumerated().map { "  \($0 + 1). \($1)" }.joined(separator: "\n")
        mismatch = "seed \(seed): \(message())\n\(list)"
    }
}
