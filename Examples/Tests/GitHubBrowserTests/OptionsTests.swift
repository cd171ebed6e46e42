import TestKit
import Testing

@testable import GitHubBrowser

@Suite("The command line", .timeLimit(.test))
struct OptionsTests {
    @Test("is understood in any order")
    func everything() throws {
        let options = try Options(arguments: ["--live", "--token", "abc", "swiftlang"])
        #expect(options.isLive)
        #expect(options.token == "abc")
        #expect(options.login == "swiftlang")
        #expect(try Options(arguments: ["--token=abc"]).token == "abc")
        #expect(try Options(arguments: ["--cache", "/tmp/x"]).cache == "/tmp/x")
        #expect(try Options(arguments: ["--cache=y"]).cache == "y")
        #expect(try Options(arguments: ["--live", "--server", "http://x"]).server == "http://x")
        #expect(try Options(arguments: ["--live", "--server=http://y", "--keys"]).isRemote)
        #expect(try Options(arguments: ["--script", "--record", "a"]).recording == "a")
        #expect(try Options(arguments: ["--replay", "b", "--script"]).replay == "b")
        #expect(try Options(arguments: ["--inspect", "ada"]).isInspected)
        #expect(try Options(arguments: ["-h"]).wantsHelp)
        #expect(try Options(arguments: []) == Options())
    }

    @Test(
        "is refused in words if it makes no sense",
        arguments: [
            (["--nonsense"], "unknown option --nonsense"), (["--token"], "--token needs a value"),
            (["--cache"], "--cache needs a value"),
            (["--live", "--server"], "--server needs a value"), (["--server", "x"], "--server goes with --live"),
            (["a", "b"], "one login at most, but there is also b"),
            (["--serve", "--script"], "--serve goes with no other mode"),
            (["--inspect", "--script"], "--inspect goes with a browser that you use"),
            (["--record", "x"], "--record and --replay go with --script"),
            (["--script", "--replay"], "--replay needs a value"),
            (["--script", "--replay", "x", "--record", "x"], "--record does not go with --replay"),
            (["--script", "--live"], "the script plays against the embedded API only, not --live"),
        ])
    func problems(arguments: [String], text: String) {
        #expect(throws: Options.Problem(text: text)) { try Options(arguments: arguments) }
    }

    @Test("is explained within 80 columns")
    func usage() {
        #expect(Options.usage.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
