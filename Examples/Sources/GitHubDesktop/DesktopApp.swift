#if GTK
import CGTK
import EmbeddedGitHub
import Foundation
import GitHubClient
import SiestaGTK

/// Starts the app, and runs the main loop until its window closes.
@MainActor
enum DesktopApp {
    private static let loop = g_main_loop_new(nil, 0)

    /// Returns the exit code of the process.
    static func run(_ options: DesktopOptions) -> Int32 {
        guard gtk_init_check() != 0 else {
            return fail("there is no display; `xvfb-run` starts one without a screen")
        }
        MainActorBridge.attach()
        return options.isScript ? play(options) : browse(options)
    }

    private static func browse(_ options: DesktopOptions) -> Int32 {
        var backend = Backend.gitHub
        if !options.isLive {
            guard let server = try? EmbeddedGitHub() else { return fail("the embedded server cannot be started") }
            backend = .embedded(server)
        }
        let window = DesktopWindow(BrowserModel(backend: backend, token: options.token, login: options.login))
        window.onClose = { quit(window.browser) }
        window.present()
        g_main_loop_run(loop)
        return 0
    }

    private static func quit(_ browser: BrowserModel) {
        Task {
            await browser.quit()
            g_main_loop_quit(loop)
        }
    }

    private static func play(_ options: DesktopOptions) -> Int32 {
        var code: Int32 = 1
        Task {
            code = await DesktopScript.play(screenshots: options.screenshots) ? 0 : 1
            g_main_loop_quit(loop)
        }
        g_main_loop_run(loop)
        return code
    }

    private static func fail(_ text: String) -> Int32 {
        FileHandle.standardError.write(Data("GitHubDesktop: \(text)\n".utf8))
        return 2
    }
}
#endif
