import Foundation

import SiestaTesting
import TestKit
import Testing

import SiestaActivity
@testable import SiestaCore

/// Events with texts of the app, and loops that end early.
@MainActor @Suite(.timeLimit(.test))
struct HostileActivityTests {
    /// An observer that describes itself with secrets, and with characters that move the cursor of a terminal.
    private final class TalkativeObserver: ResourceObserver, CustomStringConvertible {
        let description = "https://ada:s3cret@api.test/?token=s3cret \u{1B}[2J\u{202E}\nforged"
        func resourceChanged(_ resource: Resource, event: ResourceEvent) {}
    }

    private let service = Service(baseURL: "https://api.test", networking: StubNetwork())

    @Test func `No text of an event has a secret or a control character`() async throws {
        let activity = service.activity
        let (resource, observer) = (service.resource("/a"), TalkativeObserver())
        resource.addObserver(observer)
        resource.removeObservers(ownedBy: observer)
        var texts: [String] = []
        for await event in activity {
            texts += ["\(event)", "\(event.kind)"]
            switch event.kind {
            case .observerAdded(let name), .observerRemoved(let name): texts.append(name)
            default: break
            }
            if case .observerRemoved = event.kind { break }
        }
        #expect(texts.count >= 6)
        for text in texts {
            #expect(!text.contains("s3cret"))
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        }
        let reason = "\u{1B}[2J https://api.test/?token=s3cret"
        #expect(
            ActivityEvent.Kind.requestWaits(seconds: 1, reason: reason).description
                == #"requestWaits: 1 s (\u{1B}[2J https://api.test/?token=…)"#)
    }

    @Test func `A second loop continues after the first, and does not report what that has received as missed`() async {
        let activity = service.activity
        let resource = service.resource("/a")
        for number in 1...4 { resource.overrideLocalContent(with: number) }
        var numbers: [Int] = []
        for await event in activity {
            numbers.append(event.id)
            if numbers.count == 2 { break }
        }
        for await event in activity {
            if case .missed = event.kind { Issue.record("Nothing was missed: \(event)") }
            numbers.append(event.id)
            if numbers.count == 4 { break }
        }
        #expect(numbers == [1, 2, 3, 4])
    }

    @Test func `A loop whose task is cancelled receives the events until then, and no others`() async {
        let activity = service.activity
        let resource = service.resource("/a")
        for number in 1...3 { resource.overrideLocalContent(with: number) }
        let loop = Task { () -> [Int] in
            var numbers: [Int] = []
            for await event in activity {
                numbers.append(event.id)
                resource.overrideLocalContent(with: 0)
            }
            return numbers
        }
        loop.cancel()
        #expect(await loop.value == [1, 2, 3])
    }

    @Test func `A loop ends after the last event when the service is released`() async {
        var service: Service? = Service(baseURL: "https://api.test", networking: StubNetwork())
        let activity = service?.activity
        service?.resource("/a").overrideLocalContent(with: 1)
        service = nil
        var numbers: [Int] = []
        if let activity { for await event in activity { numbers.append(event.id) } }
        #expect(numbers.first == 1)
    }

    @Test func `A loop that ends at a gap leaves the later event to the next report`() async {
        let activity = service.activity(limit: 2)
        let resource = service.resource("/a")
        for number in 1...5 { resource.overrideLocalContent(with: number) }
        for await event in activity {
            #expect(event.kind.description == "missed: 3 events")
            break
        }
        var kinds: [String] = []
        for await event in activity {
            kinds.append("\(event.id) \(event.kind.name)")
            if event.kind.name != "missed" { break }
        }
        #expect(kinds == ["4 missed", "5 stateChanged"])
    }

    @Test func `Of the requests whose end was missed, the later half is kept`() {
        var spans = ActivitySpans()
        func take(_ id: Int, because cause: Int? = nil, _ kind: ActivityEvent.Kind) -> ActivitySpan? {
            spans.take(ActivityEvent(id: id, cause: cause, date: Date(), uptime: 0, kind: kind))
        }
        for id in 1...10_001 { _ = take(id, .requestStarted(method: "GET", isLoad: true)) }
        let end = ActivityEvent.Kind.requestEnded(.init(outcome: .success, status: 200, failure: nil, metrics: nil))
        #expect(take(20_000, because: 5000, end) == nil)
        #expect(take(20_001, because: 5001, end)?.id == 5001)
        #expect(take(20_002, because: 10_001, end)?.id == 10_001)
    }
}
