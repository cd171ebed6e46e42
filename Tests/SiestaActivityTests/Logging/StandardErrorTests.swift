import Foundation

import TestKit
import Testing

import SiestaActivity
@testable import SiestaCore
@testable import SiestaNetworking

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// Each test runs a process in which standard error cannot be used, and a broken pipe ends the process.
@Suite(.timeLimit(.test))
struct StandardErrorTests {
    /// Logs more than a pipe can hold.
    private static func logMuch(to descriptor: CInt?) {
        signal(SIGPIPE, SIG_DFL)
        if let descriptor { dup2(descriptor, STDERR_FILENO) } else { close(STDERR_FILENO) }
        SiestaLog.Category.enabled = .all
        for number in 0..<30 { SiestaLog.log(.network, [number, String(repeating: "x", count: 7000)]) }
    }

    private static func pipe() -> (reader: CInt, writer: CInt) {
        var ends: [CInt] = [0, 0]
        guard Foundation.pipe(&ends) == 0 else { preconditionFailure("No pipe") }
        return (ends[0], ends[1])
    }

    @Test func `A closed standard error does not end the process`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            Self.logMuch(to: nil)
            exit(7)
        }
    }

    @Test func `A standard error whose reader is gone does not end the process`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let (reader, writer) = Self.pipe()
            close(reader)
            Self.logMuch(to: writer)
            exit(7)
        }
    }

    @Test func `A standard error whose reader sleeps neither ends nor stops the process`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            Self.logMuch(to: Self.pipe().writer)
            exit(7)
        }
    }

    @Test func `A standard error that does not wait, and is full, does not end the process`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let writer = Self.pipe().writer
            _ = fcntl(writer, F_SETFL, O_NONBLOCK)
            Self.logMuch(to: writer)
            exit(7)
        }
    }

    #if os(Linux)
    @Test func `A standard error on a full disk does not end the process`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            Self.logMuch(to: open("/dev/full", O_WRONLY))
            exit(7)
        }
    }
    #endif

    @Test func `A broken pipe of the app's own raises the signal as before`() async {
        await #expect(processExitsWith: .signal(SIGPIPE)) {
            let (reader, writer) = Self.pipe()
            close(reader)
            Self.logMuch(to: writer)
            _ = Foundation.write(writer, "x", 1)
        }
    }

    @Test func `A reader that comes back is told how many messages were lost, on a line of its own`() throws {
        let (reader, writer) = Self.pipe()
        defer {
            close(reader)
            close(writer)
        }
        var output = LineOutput()
        for _ in 0..<40 { output.write(String(repeating: "x", count: 8000), to: writer) }
        #expect(output.lostCount > 0)
        let lost = output.lostCount
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        #expect(read(reader, &buffer, buffer.count) > 0)
        output.write("heard again", to: writer)
        let count = read(reader, &buffer, buffer.count)
        let text = String(decoding: buffer[..<count], as: UTF8.self)
        #expect(text.hasSuffix("[Siesta] \(lost) messages were lost: nobody read standard error\nheard again\n"))
        #expect(output.lostCount == 0)
    }
}
#endif
