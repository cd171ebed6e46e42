import Dispatch

do {
    Launch.run(try Options(arguments: Array(CommandLine.arguments.dropFirst())))
} catch {
    Launch.fail("\(error.text); try --help")
}
dispatchMain()
