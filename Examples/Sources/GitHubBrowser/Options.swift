/// What the command line asks for.
struct Options: Equatable, Sendable {
    /// A command line that makes no sense; the text says why.
    struct Problem: Error, Equatable {
        let text: String
    }

    /// Whether to print the usage, and nothing else.
    var wantsHelp = false
    /// Whether to play the script.
    var isScript = false
    /// Whether to serve the embedded API, and nothing else.
    var isServer = false
    /// Whether to talk to the real GitHub.
    var isLive = false
    /// The server to talk to instead of the real GitHub.
    var server: String?
    /// Whether to take keys from the standard input, line by line.
    var isRemote = false
    /// The token for signing in to the real GitHub.
    var token: String?
    /// The folder in which answers are kept until the next start; nil to keep none.
    var cache: String?
    /// The folder into which the script is recorded; nil to record nothing.
    var recording: String?
    /// The folder with a recording from which the script is played; nil to play it with the embedded server.
    var replay: String?
    /// Whether to serve a page that shows what the browser does.
    var isInspected = false
    /// Whose repositories to show first.
    var login: String?

    /// No options.
    init() {}

    /// Reads the arguments, without the name of the program.
    init(arguments: [String]) throws(Problem) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--script": isScript = true
            case "--serve": isServer = true
            case "--live": isLive = true
            case "--keys": isRemote = true
            case "--inspect": isInspected = true
            case "--server": server = try Self.value(of: argument, in: &rest)
            case _ where argument.hasPrefix("--server="): server = String(argument.dropFirst("--server=".count))
            case "--token": token = try Self.value(of: argument, in: &rest)
            case _ where argument.hasPrefix("--token="): token = String(argument.dropFirst("--token=".count))
            case "--cache": cache = try Self.value(of: argument, in: &rest)
            case _ where argument.hasPrefix("--cache="): cache = String(argument.dropFirst("--cache=".count))
            case "--record": recording = try Self.value(of: argument, in: &rest)
            case "--replay": replay = try Self.value(of: argument, in: &rest)
            case _ where argument.hasPrefix("-"): throw Problem(text: "unknown option \(argument)")
            case _ where login == nil: login = argument
            default: throw Problem(text: "one login at most, but there is also \(argument)")
            }
        }
        if isServer, isLive || isScript { throw Problem(text: "--serve goes with no other mode") }
        if isInspected, isServer || isScript { throw Problem(text: "--inspect goes with a browser that you use") }
        if server != nil, !isLive { throw Problem(text: "--server goes with --live") }
        if !isScript, recording != nil || replay != nil {
            throw Problem(text: "--record and --replay go with --script")
        }
        if recording != nil, replay != nil { throw Problem(text: "--record does not go with --replay") }
        if isScript, isLive { throw Problem(text: "the script plays against the embedded API only, not --live") }
    }

    private static func value(of option: String, in rest: inout ArraySlice<String>) throws(Problem) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else { throw Problem(text: "\(option) needs a value") }
        return value
    }

    /// The usage, in lines of 80 columns at most.
    static let usage = """
        Usage: GitHubBrowser [LOGIN] [--live [--server URL]] [--token TOKEN]
                             [--cache PATH] [--inspect] [--keys | --script | --serve]
               GitHubBrowser --script [--record FOLDER | --replay FOLDER]

        Browses users, organisations and repositories of GitHub in the terminal,
        beginning with those of LOGIN.

          --live         talk to api.github.com; otherwise to a small server inside
                         this process, on 127.0.0.1, with invented data
          --server URL   with --live, talk to this server instead of api.github.com
          --token TOKEN  with --live, sign in with this token; needed to star
          --cache PATH   keep what was loaded in this folder, so that it shows at once
                         after the next start, also without a connection, and keep
                         changes beside it until the server has confirmed them
          --inspect      serve a page on 127.0.0.1 that shows each resource and request
                         live, and print its URL
          --keys         take commands from the standard input, line by line:
                         key NAME, type TEXT, screen
          --script       play a scenario against the embedded server, check it, and
                         exit with 0 if all was as expected, else with 1; this is
                         also what happens without a terminal
          --record FOLDER
                         with --script, record the requests of the browser as HAR
                         files without secrets, and the screen after each step
          --replay FOLDER
                         with --script, play the recorded steps without a server,
                         and compare the screens; left out are the steps with a slow
                         server, and those with the browser in another process
          --serve        only run the embedded server, and print its URL
          --help         print this

        Press ? in the browser for the keys.
        """
}
