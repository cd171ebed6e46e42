import Foundation

/// A function that tests one input; the result is 0.
package typealias FuzzTest = @convention(c) (_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt

/// Runs libFuzzer with the arguments of the process, and ends the process with its result.
@MainActor
package func runFuzzer(_ test: FuzzTest) -> Never {
    var (count, arguments) = (CommandLine.argc, CommandLine.unsafeArgv)
    exit(runDriver(&count, &arguments, test))
}

/// The entry point of libFuzzer for programs with a `main` of their own.
@_extern(c, "LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: FuzzTest
) -> CInt
