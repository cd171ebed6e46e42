import SiestaActivity
import SiestaCore
import SiestaSessions
import SiestaTesting
import TestDoubles
import Testing

extension SiestaLogTests {
    @Test func `An app that signs out while the log reports a refresh leaves no request waiting`() async throws {
        let signing = SigningService()
        let service = signing.service
        service.configure("/public/**") { $0.isPersonal = false }
        try await service.signIn("ada", with: Credential("old"))
        let (handler, enabled) = (SiestaLog.messageHandler, SiestaLog.Category.enabled)
        defer {
            SiestaLog.Category.enabled = enabled
            SiestaLog.messageHandler = handler
        }
        SiestaLog.messageHandler = { _, text in
            guard text.contains("refreshing its credential") else { return }
            MainActor.assumeIsolated { _ = Task.immediate { await service.signOut() } }
        }
        SiestaLog.Category.enabled = [.stateChanges]
        let request = service.resource("/public/a").load()
        await signing.settle()
        #expect(request.isCompleted)
        #expect(service.session?.state == .signedOut)
        #expect(signing.tokens == ["old", nil])
    }
}
