#if GTK
import Foundation

do {
    let options = try DesktopOptions(arguments: Array(CommandLine.arguments.dropFirst()))
    if options.wantsHelp { print(DesktopOptions.usage) } else { exit(DesktopApp.run(options)) }
} catch {
    FileHandle.standardError.write(Data("GitHubDesktop: \(error.text); try --help\n".utf8))
    exit(2)
}
#else
import Foundation

FileHandle.standardError.write(Data("GitHubDesktop was built without GTK; build it with --traits GTK\n".utf8))
exit(2)
#endif
