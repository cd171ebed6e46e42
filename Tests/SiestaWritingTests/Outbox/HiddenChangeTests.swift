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
}
