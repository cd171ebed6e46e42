import Isolation
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

    @Test func `An app that signs in again while the log reports a sign-in shows nothing of the last user`()
        async throws
    {
        let signing = SigningService(credentials: TestCredentialStore())
        let (service, resource) = (signing.service, signing.resource)
        try await service.signIn("ada", with: Credential("a1"))
        await resource.load().completion()
        let (handler, enabled) = (SiestaLog.messageHandler, SiestaLog.Category.enabled)
        defer {
            SiestaLog.Category.enabled = enabled
            SiestaLog.messageHandler = handler
        }
        let again = Locked<Task<Void, any Error>?>(nil)
        SiestaLog.messageHandler = { _, text in
            guard text.contains("signed in"), again.withLock({ $0 == nil }) else { return }
            MainActor.assumeIsolated {
                let task = Task.immediate { try await service.signIn("bob", with: Credential("b2")) }
                again.withLock { $0 = task }
            }
        }
        SiestaLog.Category.enabled = [.stateChanges]
        try? await service.signIn("bob", with: Credential("b1"))
        try await again.withLock(\.self)?.value
        #expect(service.principal == "bob")
        #expect(resource.latestData == nil)
    }
}
