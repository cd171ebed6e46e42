import Testing

@testable import TerminalKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

extension DeviceTests {
    /// A process of its own takes over a terminal and ends; then this process looks at what it left behind.
    @Suite("However the process ends, the terminal is as it was")
    struct TerminalRestorerTests {
        private let pty: PseudoTerminal

        init() throws {
            pty = try PseudoTerminal()
        }

        private func expectRestored() {
            #expect(pty.settings == .cooked)
            var screen = VirtualScreen(size: .standard)
            screen.apply(pty.output())
            #expect(screen.modes == ["?7", "?25"])
        }

        @MainActor private static func takeOver(_ path: String) -> Terminal? {
            let descriptor = open(path, O_RDWR | O_NOCTTY)
            return Terminal(input: descriptor, output: descriptor)
        }

        @Test(
            "Asked to end or crashed by a signal, it dies of that signal",
            arguments: TerminalRestorer.crashes + TerminalRestorer.requests)
        func signals(number: Int32) async {
            await #expect(processExitsWith: .signal(number)) { [path = pty.path as String, number = number as Int32] in
                await MainActor.run {
                    _ = Self.takeOver(path)
                    kill(getpid(), number)
                    pause()
                }
            }
            expectRestored()
        }

        @Test("A trap restores it")
        func trap() async {
            await #expect(processExitsWith: .failure) { [path = pty.path as String] in
                await MainActor.run {
                    _ = Self.takeOver(path)
                    fatalError("on purpose")
                }
            }
            expectRestored()
        }

        @Test("An address that is none restores it")
        func badAddress() async {
            await #expect(processExitsWith: .signal(SIGSEGV)) { [path = pty.path as String] in
                await MainActor.run {
                    _ = Self.takeOver(path)
                    UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
                }
            }
            expectRestored()
        }

        @Test("A handler that was there before has the last word")
        func earlierHandler() async {
            await #expect(processExitsWith: .exitCode(9)) { [path = pty.path as String] in
                await MainActor.run {
                    signal(SIGTERM) { _ in _exit(9) }
                    _ = Self.takeOver(path)
                    kill(getpid(), SIGTERM)
                    pause()
                }
            }
            expectRestored()
        }

        @Test("A signal that was ignored stays so")
        func ignoredSignal() async {
            await #expect(processExitsWith: .exitCode(7)) { [path = pty.path as String] in
                await MainActor.run {
                    signal(SIGHUP, SIG_IGN)
                    _ = Self.takeOver(path)
                    kill(getpid(), SIGHUP)
                    exit(7)
                }
            }
            expectRestored()
        }

        @Test("An exit restores it")
        func exiting() async {
            await #expect(processExitsWith: .exitCode(7)) { [path = pty.path as String] in
                await MainActor.run {
                    _ = Self.takeOver(path)
                    exit(7)
                }
            }
            expectRestored()
        }
    }
}
