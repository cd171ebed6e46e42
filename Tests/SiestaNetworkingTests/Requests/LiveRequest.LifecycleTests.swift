import TestKit
import Testing
@testable import SiestaCore

/// The rules of a request's life cycle, without a request.
@MainActor @Suite(.timeLimit(.test))
struct LiveRequestLifecycleTests {
    enum Event: CaseIterable {
        case start, complete
    }

    struct Case: CustomTestStringConvertible {
        let events: [Event]
        let accepted: [Bool]
        let state: RequestState

        var testDescription: String { "\(events) → \(state)" }
    }

    nonisolated static let cases = [
        Case(events: [], accepted: [], state: .notStarted),
        Case(events: [.start], accepted: [true], state: .inProgress),
        Case(events: [.start, .start], accepted: [true, false], state: .inProgress),
        Case(events: [.complete], accepted: [true], state: .completed),
        Case(events: [.complete, .start], accepted: [true, false], state: .completed),
        Case(events: [.start, .complete], accepted: [true, true], state: .completed),
        Case(events: [.start, .complete, .complete], accepted: [true, true, false], state: .completed),
        Case(events: [.start, .complete, .start, .complete], accepted: [true, true, false, false], state: .completed),
    ]

    @Test(arguments: cases)
    func `A request starts at most once and completes exactly once`(_ example: Case) {
        var lifecycle = LiveRequest.Lifecycle()
        let accepted = example.events.map { event in
            switch event {
            case .start: lifecycle.start()
            case .complete: lifecycle.complete(with: response("any"))
            }
        }
        #expect(accepted == example.accepted)
        #expect(lifecycle.state == example.state)
        #expect((lifecycle.response != nil) == (example.state == .completed))
    }

    @Test func `The first response counts, later ones are ignored`() {
        var lifecycle = LiveRequest.Lifecycle()
        _ = lifecycle.start()
        _ = lifecycle.complete(with: response("first"))
        _ = lifecycle.complete(with: response("second"))
        #expect(content(of: lifecycle.response) == "first")
    }

    @Test func `A life that begins completed has its response, and neither starts nor completes`() {
        var lifecycle = LiveRequest.Lifecycle.completed(response("known"))
        #expect(lifecycle.state == .completed)
        let accepted = (start: lifecycle.start(), completion: lifecycle.complete(with: response("other")))
        #expect(accepted == (start: false, completion: false))
        #expect(content(of: lifecycle.response) == "known")
    }

    private func response(_ text: String) -> ResponseInfo {
        ResponseInfo(response: .success(Entity(content: text, contentType: "text/plain")))
    }

    private func content(of info: ResponseInfo?) -> String? {
        guard case .success(let entity) = info?.response else { return nil }
        return entity.content as? String
    }
}
