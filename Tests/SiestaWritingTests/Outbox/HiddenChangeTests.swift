import Foundation
import SiestaCore
import SiestaOutboxStorage
import SiestaSessions
import SiestaTesting
import SiestaWriting
import TestDoubles
import TestKit
import Testing
import Waiting

/// What observers hear when durable changes are not shown any more.
@MainActor @Suite(.timeLimit(.test))
struct HiddenChangeTests {
    struct Note: Codable, Sendable, Equatable { var text: String }

    enum End: CaseIterable { case signOut, otherUser, close, noOutbox }

    @Test(arguments: End.allCases, [true, false])
    func `Observers and loops are told when a durable change disappears`(_ end: End, isPersonal: Bool) async throws {
        let stub = StubbedResource()
        stub.service.configure { $0.isPersonal = isPersonal }
        stub.service.decode("/thing", as: Note.self)
        stub.service.authenticate(with: BearerToken())
        try await stub.service.signIn("ada", with: Credential("t1"))
        let outbox = Outbox.inMemory()
        stub.service.outbox = outbox
        let note = stub.service.resource("/thing", as: Note.self)
        stub.network.answer(.patch, "/thing", with: .held)
        await stub.load(.json(#"{"text":"one"}"#))
        let change = note.mutate(.patch, body: .encoded(["text": "hers"]), durable: true) { $0.text = "hers" }
        try await change.accepted()
        let recorder = ObserverRecorder()
        note.resource.addObserver(recorder)
        recorder.clear()
        #expect(note.content?.text == "hers")
        switch end {
        case .signOut: await stub.service.signOut()
        case .otherUser: try await stub.service.signIn("bob", with: Credential("t2"))
        case .close: await outbox.close()
        case .noOutbox: stub.service.outbox = nil
        }
        // The request of the change may still run.
        try await Poll.until { !recorder.events.isEmpty && note.content?.text != "hers" }
        let isWiped = isPersonal && [.signOut, .otherUser].contains(end)
        #expect(note.content?.text == (isWiped ? nil : "one"))
        #expect(
            recorder.events.filter { $0 != .requestCancelled } == [isWiped ? .newData(.wipe) : .newData(.localOverride)]
        )
        #expect((recorder.records.last?.data?.content as? Note)?.text == note.content?.text)
    }

    @Test func `Changes that wait end with their user, also if their resource is the same for all`() async throws {
        let stub = StubbedResource()
        stub.service.configure { $0.isPersonal = false }
        stub.service.decode("/thing", as: Note.self)
        stub.service.authenticate(with: BearerToken())
        try await stub.service.signIn("ada", with: Credential("t1"))
        await stub.load(.json(#"{"text":"one"}"#))
        stub.network.answer(.patch, "/thing", with: .held)
        let note = stub.service.resource("/thing", as: Note.self)
        let changes = (0..<2).map { number in
            note.mutate(.patch, body: .encoded(["text": "hers"])) { $0.text = "hers \(number)" }
        }
        #expect(note.content?.text == "hers 1")
        try await stub.service.signIn("bob", with: Credential("t2"))
        #expect(note.content?.text == "one")
        #expect(note.resource.pendingChanges.isEmpty)
        for change in changes { #expect(change.request.isCompleted) }
    }

    @Test func `The observers of one service see no change of the last user in another`() async throws {
        let (first, second) = (StubbedResource(), StubbedResource())
        let session = UserSession(BearerToken())
        for stub in [first, second] { stub.service.authenticate(sharing: session) }
        try await session.signIn("ada", with: Credential("t1"))
        let note = second.service.resource("/thing", as: Note.self)
        second.network.answer(.put, "/thing", with: .held)
        note.mutate(.put, body: .encoded(Note(text: "hers")), also: [note.replace(by: Note(text: "hers"))])
        #expect(note.content?.text == "hers")
        first.network.answer(.get, "/thing", with: .held)
        var seen: [String?] = []
        let screen = NSObject()
        first.resource.addObserver(owner: screen) { _, event in
            if event == .requestCancelled { seen.append(note.content?.text) }
        }
        first.resource.load()
        try await session.signIn("bob", with: Credential("t2"))
        #expect(seen == [nil])
        extendLifetime(screen)
    }
}
