import Foundation
import LoopbackServer
import SiestaCore
import SiestaSessions
import TestDoubles
import TestKit
import Testing
import Waiting

/// The users to whom the cookies of a file belong, also if a process ends at any moment.
@MainActor @Suite(.serialized, .timeLimit(.model))
struct CookieOwnerTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private let app: App

    init() throws {
        folder = try TemporaryFolder()
        server = try ServiceCookiesTests.server()
        app = App(server: server.url().absoluteString, path: folder.url.path)
    }

    /// An app with a session and a file of cookies.
    struct App: Codable, Sendable {
        let server: String
        let path: String

        private var file: URL { URL(fileURLWithPath: path + "/cookies/cookies.txt") }

        /// The content of the file; nil if there is no file.
        var content: String? { try? String(contentsOf: file, encoding: .utf8) }

        /// The names of all files in the folder of the cookies.
        var files: [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)) ?? []
        }

        /// The app after its launch.
        ///
        /// - Parameter lastName: The process is killed when this user was saved; "" is the end of the last session.
        @MainActor
        func launch(diesAfterSaving lastName: String? = nil) -> Service {
            let service = Service(baseURL: server, cookies: .file(at: file))
            let credentials = FileCredentialStore(file: URL(fileURLWithPath: path + "/credentials.json"))
            service.authenticate(
                with: BearerToken(credentials: DeadlyStore(base: credentials, lastName: lastName)))
            return service
        }

        /// Signs in, and receives a cookie that is in the file afterwards.
        @MainActor
        func signIn(_ name: String, to service: Service) async throws {
            try await service.signIn(name, with: Credential(name))
            _ = await ServiceCookiesTests.ask(service, set: ["owner=\(name); Path=/; Max-Age=1000"])
            try await Poll.until { content?.contains("owner\t\(name)") == true }
        }
    }

    /// A store that ends its process after it has saved a certain user.
    private struct DeadlyStore: CredentialStore {
        let base: FileCredentialStore
        let lastName: String?

        func load() throws -> StoredCredential? { try base.load() }

        func save(_ stored: StoredCredential?) throws {
            try base.save(stored)
            if let lastName, lastName == stored?.principal ?? "" { kill(getpid(), SIGKILL) }
        }
    }

    // MARK: Ends of processes

    @Test func `A process that is killed after a sign-in leaves no cookies of the last user`() async throws {
        for _ in 0..<TestLevel.count(8, nightly: 40, soak: 400) {
            await #expect(processExitsWith: .signal(SIGKILL)) { [app = app as App] in
                let service = await app.launch()
                try await app.signIn("ada", to: service)
                try await service.signIn("bob", with: Credential("bob"))
                kill(getpid(), SIGKILL)
            }
            #expect(app.content == nil)
            let service = app.launch()
            #expect(service.principal == "bob")
            #expect((await ServiceCookiesTests.ask(service)) == "")
            await service.signOut()
        }
    }

    @Test func `A process that exits after a sign-in leaves no cookies of the last user`() async throws {
        for _ in 0..<TestLevel.count(4, nightly: 40, soak: 400) {
            await #expect(processExitsWith: .success) { [app = app as App] in
                let service = await app.launch()
                try await app.signIn("ada", to: service)
                try await service.signIn("bob", with: Credential("bob"))
                exit(0)
            }
            let service = app.launch()
            #expect(service.principal == "bob")
            #expect((await ServiceCookiesTests.ask(service)) == "")
            await service.signOut()
        }
    }

    @Test(arguments: ["bob", ""])
    func `A process that is killed while the user changes leaves no cookies for the next user`(next: String)
        async throws
    {
        for _ in 0..<4 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [app = app as App, next = next as String] in
                let service = await app.launch(diesAfterSaving: next)
                try await app.signIn("ada", to: service)
                if next.isEmpty { await service.signOut() }
                try await service.signIn(next, with: Credential(next))
            }
            let service = app.launch()
            #expect(service.principal ?? "" == next)
            #expect((await ServiceCookiesTests.ask(service)) == "")
            #expect(await service.cookies.isEmpty)
            await service.signOut()
        }
    }

    @Test func `After the sign-out no cookie is on the disk, also if processes were killed while they wrote`()
        async throws
    {
        for _ in 0..<TestLevel.count(6, nightly: 40, soak: 400) {
            let delay = Int64.random(in: 0...30_000)
            await #expect(processExitsWith: .signal(SIGKILL)) { [app = app as App, delay = delay as Int64] in
                let service = await app.launch()
                try await app.signIn("ada", to: service)
                Moment.after(.microseconds(delay)) { kill(getpid(), SIGKILL) }
                while true {
                    _ = await ServiceCookiesTests.ask(
                        service, set: (0..<20).map { "n\($0)=\(UUID().uuidString); Path=/; Max-Age=1000" })
                }
            }
        }
        let service = app.launch()
        #expect(service.principal == "ada")
        await service.signOut()
        #expect(app.files.isEmpty)
    }

    // MARK: Owners

    @Test(arguments: ["bob", nil])
    func `Cookies of another user in the file are neither sent nor listed`(next: String?) async throws {
        let first = app.launch()
        try await app.signIn("ada", to: first)
        // As a process that was killed leaves it: the credential is of the next user, and the file is that of the last.
        let store = FileCredentialStore(file: folder.url.appendingPathComponent("credentials.json"))
        try store.save(next.map { StoredCredential(principal: $0, credential: Credential($0)) })
        let second = app.launch()
        #expect((await ServiceCookiesTests.ask(second)) == "")
        #expect(await second.cookies.isEmpty)
        _ = await ServiceCookiesTests.ask(second, set: ["new=1; Path=/; Max-Age=1000"])
        try await Poll.until { app.content?.contains("new\t1") == true }
        #expect(app.content?.contains("ada") == false)
    }

    @Test func `Cookies belong to a name with the same bytes`() async throws {
        let names = ["jos\u{e9}", "jose\u{301}"]
        let first = app.launch()
        try await app.signIn(names[0], to: first)
        #expect((await app.launch().cookies.map(\.name)) == ["owner"])
        let store = FileCredentialStore(file: folder.url.appendingPathComponent("credentials.json"))
        try store.save(StoredCredential(principal: names[1], credential: Credential("2")))
        #expect((await ServiceCookiesTests.ask(app.launch())) == "")
        #expect(app.files.isEmpty)
    }

    @Test func `The cookies of a user are there at the next launch`() async throws {
        let first = app.launch()
        let name = "ada\nbob\t# \u{2028}"
        try await first.signIn(name, with: Credential("a"))
        _ = await ServiceCookiesTests.ask(first, set: ["owner=1; Path=/; Max-Age=1000"])
        try await Poll.until { app.content?.contains("owner\t1") == true }
        let service = app.launch()
        #expect(service.principal == name)
        #expect((await service.cookies.map(\.name)) == ["owner"])
    }

    @Test func `The cookies of a log-in belong to the user who signs in next, also at the next launch`() async throws {
        do {
            let service = app.launch()
            _ = await ServiceCookiesTests.ask(service, set: ["login=1; Path=/; Max-Age=1000"])
            try await Poll.until { app.content?.contains("login\t1") == true }
        }
        // The file is not read before the sign-in.
        let service = app.launch()
        try await service.signIn("ada", with: Credential("ada"))
        #expect((await ServiceCookiesTests.ask(app.launch())) == "login=1")
        #expect((await ServiceCookiesTests.ask(service)) == "login=1")
        try await service.signIn("bob", with: Credential("bob"))
        #expect(app.files.isEmpty)
        #expect((await ServiceCookiesTests.ask(service)) == "")
    }

    @Test func `A service without a session keeps its cookies, and a session that it gets later begins with them`()
        async throws
    {
        let file = folder.url.appendingPathComponent("plain.txt")
        let first = Service(baseURL: server.url(), cookies: .file(at: file))
        _ = await ServiceCookiesTests.ask(first, set: ["a=1; Path=/; Max-Age=1000"])
        try await Poll.until { (try? String(contentsOf: file, encoding: .utf8))?.contains("a\t1") == true }
        let second = Service(baseURL: server.url(), cookies: .file(at: file))
        #expect((await ServiceCookiesTests.ask(second)) == "a=1")
        second.authenticate(with: BearerToken())
        try await second.signIn("ada", with: Credential("ada"))
        #expect((await ServiceCookiesTests.ask(second)) == "a=1")
        await second.signOut()
        #expect((await ServiceCookiesTests.ask(second)) == "")
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
