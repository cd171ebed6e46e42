#if GTK
import Foundation

/// What the command line asks for.
struct DesktopOptions {
    /// A command line that makes no sense; the text says why.
    struct Problem: Error {
        let text: String
    }

    var wantsHelp = false
    /// True to play the script.
    var isScript = false
    /// The folder for the screenshots of the script; nil for none.
    var screenshots: URL?
    /// True to talk to the real GitHub.
    var isLive = false
    /// The token for signing in to the real GitHub.
    var token: String?
    /// Whose repositories to show first.
    var login: String?

    /// Reads the arguments, without the name of the program.
    init(arguments: [String]) throws(Problem) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--script": isScript = true
            case "--screenshots": screenshots = URL(fileURLWithPath: try Self.value(of: argument, in: &rest))
            case "--live": isLive = true
            case "--token": token = try Self.value(of: argument, in: &rest)
            case _ where argument.hasPrefix("-"): throw Problem(text: "unknown option \(argument)")
            case _ where login == nil: login = argument
            default: throw Problem(text: "one login at most, but there is also \(argument)")
            }
        }
    }

    private static func value(of option: String, in rest: inout ArraySlice<String>) throws(Problem) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else { throw Problem(text: "\(option) needs a value") }
        return value
    }

    /// The usage, in lines of 80 columns at most.
    static let usage = """
        Usage: GitHubDesktop [LOGIN] [--live] [--token TOKEN]
                             [--script [--screenshots FOLDER]]

        Browses users, organisations and repositories of GitHub in a window,
        beginning with those of LOGIN.

          --live         talk to api.github.com; otherwise to a small server inside
                         this process, on 127.0.0.1, with invented data
          --token TOKEN  with --live, sign in with this token; needed to star
          --script       play a scenario with real clicks and keys, check it, and
                         exit with 0 if all was as expected, else with 1
          --screenshots FOLDER
                         with --script, write pictures of the window into a folder
          --help         print this
        """
}
#endif
