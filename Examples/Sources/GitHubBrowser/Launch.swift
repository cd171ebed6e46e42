import EmbeddedGitHub
import Foundation
import GitHubClient
import Siesta
import SiestaInspector
import TerminalKit

/// Starts what the command line asks for. Returns once it runs; it ends the process by itself.
@MainActor
enum Launch {
    /// Keeps what runs.
    private static var session: AnyObject?
    private static var inspector: Inspector?

    static func run(_ options: Options) {
        if options.wantsHelp {
            print(Options.usage)
            exit(0)
        }
        do {
            if options.isServer {
                try serve()
            } else if options.isRemote {
                session = KeySession(browser(options))
            } else if options.isScript || !browse(options) {
                try play(options)
            }
        } catch {
            fail("\(error)")
        }
    }

    /// Ends the process because of a command line that makes no sense, or of a system that lacks something.
    static func fail(_ text: String) -> Never {
        FileHandle.standardError.write(Data("GitHubBrowser: \(text)\n".utf8))
        exit(2)
    }

    /// False if there is no terminal.
    private static func browse(_ options: Options) -> Bool {
        guard let terminal = Terminal() else { return false }
        session = TerminalSession(browser(options), on: terminal)
        return true
    }

    private static func browser(_ options: Options) -> Browser {
        let cache = options.cache.map { URL(fileURLWithPath: $0, isDirectory: true) }
        let model = BrowserModel(
            backend: backend(options), token: options.token, login: options.login, cache: cache,
            wrapping: { options.isInspected ? InspectorNetwork(around: $0) : $0 })
        if options.isInspected { inspect(model) }
        return Browser(model)
    }

    /// Serves the page of an inspector, and shows its URL.
    private static func inspect(_ model: BrowserModel) {
        let inspector = Inspector(
            model.api, permissions: .full, logging: [.network, .stateChanges, .staleness, .observers])
        self.inspector = inspector
        Task {
            do {
                let url = try await inspector.start(evenInRelease: true)
                model.notice = Notice("Inspector: \(url.absoluteString)")
            } catch {
                model.notice = Notice("\(error)", isBad: true)
            }
        }
    }

    private static func backend(_ options: Options) -> Backend {
        guard options.isLive else {
            guard let server = embeddedServer(options) else { fail("the embedded server cannot be started") }
            return .embedded(server)
        }
        guard let text = options.server else { return .gitHub }
        guard let url = URL(string: text), url.host != nil else { fail("--server needs a URL") }
        return .live(url)
    }

    /// A server at the address that it had when the cache was used last, since what is kept belongs to that.
    private static func embeddedServer(_ options: Options) -> EmbeddedGitHub? {
        guard let cache = options.cache else { return try? EmbeddedGitHub() }
        let file = URL(fileURLWithPath: cache + ".port")
        let port = (try? String(contentsOf: file, encoding: .utf8)).flatMap { UInt16($0) } ?? 0
        guard let server = (try? EmbeddedGitHub(port: port)) ?? (try? EmbeddedGitHub()) else { return nil }
        try? Data("\(server.baseURL.port ?? 0)".utf8).write(to: file)
        return server
    }

    private static func serve() throws {
        let server = try EmbeddedGitHub()
        session = server
        print(server.baseURL.absoluteString)
        fflush(nil)
    }

    private static func recording(_ options: Options) throws -> ScriptRecording? {
        if let path = options.recording {
            return try ScriptRecording(recordTo: URL(fileURLWithPath: path, isDirectory: true))
        }
        return try options.replay.map { try ScriptRecording(replay: URL(fileURLWithPath: $0, isDirectory: true)) }
    }

    private static func play(_ options: Options) throws {
        if options.isLive { fail("--live needs a terminal") }
        let script = try Script(recording: recording(options))
        session = script
        Task {
            let isAsExpected = await script.play()
            exit(isAsExpected ? 0 : 1)
        }
    }
}
