import Dispatch
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
    /// On a pseudo-terminal, in this process.
    @MainActor
    @Suite("A terminal shows frames and tells of keys")
    struct TerminalTests {
        private let pty: PseudoTerminal
        private let terminal: Terminal

        init() throws {
            pty = try PseudoTerminal(rows: 5, columns: 20)
            terminal = try #require(Terminal(input: pty.program, output: pty.program, colors: .sixteen))
        }

        /// Waits for so many keys while doing something.
        private func keys(_ count: Int, while action: () -> Void) async -> [Key] {
            let (stream, continuation) = AsyncStream.makeStream(of: Key.self)
            terminal.onKey = { continuation.yield($0) }
            action()
            var keys: [Key] = []
            for await key in stream {
                keys.append(key)
                if keys.count == count { break }
            }
            return keys
        }

        @Test("It takes the terminal over when made, and gives it back when closed")
        func lifetime() {
            #expect(pty.settings == .raw)
            #expect(terminal.size == TerminalSize(rows: 5, columns: 20))
            var screen = VirtualScreen(size: terminal.size)
            screen.apply(pty.output())
            #expect(screen.modes == ["?1049", "?2004"])
            terminal.close()
            terminal.close()
            #expect(pty.settings == .cooked)
            screen.apply(pty.output())
            #expect(screen.modes == ["?7", "?25"])
            #expect(screen.failures == [])
        }

        @Test("Only one can be open at a time, and only on a terminal")
        func exclusive() throws {
            #expect(Terminal(input: pty.program, output: pty.program) == nil)
            terminal.close()
            let null = open("/dev/null", O_RDWR)
            defer { close(null) }
            #expect(Terminal(input: null, output: pty.program) == nil)
            #expect(Terminal(input: pty.program, output: null) == nil)
            let second = try #require(Terminal(input: pty.program, output: pty.program))
            second.close()
        }

        @Test("What a keyboard sends arrives as keys, Ctrl-C among them")
        func keyboard() async {
            let keys = await keys(6) { pty.type("a\u{3}\u{1A}\u{1B}[Aé\u{1B}[200~p\u{1B}[201~") }
            #expect(keys == [.character("a"), .ctrl("c"), .ctrl("z"), .up, .character("é"), .paste("p")])
            terminal.close()
        }

        @Test("A lone ESC becomes the Escape key after a while")
        func escape() async {
            #expect(await keys(1) { pty.type("\u{1B}") } == [.escape])
            terminal.close()
        }

        @Test("Frames are shown by what differs, and in full after a redraw")
        func frames() {
            var screen = VirtualScreen(size: terminal.size)
            terminal.show(Frame(size: terminal.size, lines: ["one", "two"]))
            screen.apply(pty.output())
            terminal.show(Frame(size: terminal.size, lines: ["one", "2"]))
            screen.apply(pty.output())
            #expect(screen.rowsWritten == [1])
            #expect(screen.text.prefix(2).map { $0.prefix(4) } == ["one ", "2   "])
            terminal.redraw()
            screen.apply(pty.output())
            #expect(screen.rowsWritten == [0, 1])
            #expect(screen.failures == [])
            terminal.close()
            _ = pty.output()
            terminal.show(Frame(size: terminal.size, lines: ["late"]))
            #expect(pty.output() == [])
        }

        @Test("A new size is told, and the next frame is drawn in full")
        func resizing() async {
            terminal.show(Frame(size: terminal.size, lines: ["one"]))
            let (stream, continuation) = AsyncStream.makeStream(of: TerminalSize.self)
            terminal.onResize = { continuation.yield($0) }
            pty.resize(rows: 7, columns: 30)
            kill(getpid(), SIGWINCH)
            var sizes = stream.makeAsyncIterator()
            #expect(await sizes.next() == TerminalSize(rows: 7, columns: 30))
            #expect(terminal.size == TerminalSize(rows: 7, columns: 30))
            _ = pty.output()
            terminal.show(Frame(size: TerminalSize(rows: 2, columns: 9), lines: ["one"]))
            var screen = VirtualScreen(size: terminal.size)
            screen.apply(pty.output())
            #expect(screen.text[0].hasPrefix("one "))
            #expect(screen.failures == [])
            terminal.close()
        }

        @Test("Continued after a stop, it takes the terminal over again and shows the last frame")
        func continuing() async {
            terminal.show(Frame(size: terminal.size, lines: ["one"]))
            let (stream, continuation) = AsyncStream.makeStream(of: TerminalSize.self)
            terminal.onResize = { continuation.yield($0) }
            _ = pty.output()
            TerminalRestorer.restore()
            #expect(pty.settings == .cooked)
            pty.resize(rows: 6, columns: 20)
            kill(getpid(), SIGCONT)
            var sizes = stream.makeAsyncIterator()
            #expect(await sizes.next() == TerminalSize(rows: 6, columns: 20))
            #expect(pty.settings == .raw)
            var screen = VirtualScreen(size: terminal.size)
            screen.apply(pty.output())
            #expect(screen.modes == ["?1049", "?2004"])
            #expect(screen.text[0].hasPrefix("one "))
            terminal.close()
        }

        @Test("A terminal that takes output slowly gets all of it, even if it refuses to block")
        func slowTerminal() async {
            _ = pty.output()
            _ = fcntl(pty.program, F_SETFL, O_RDWR | O_NONBLOCK)
            let size = TerminalSize(rows: 300, columns: 400)
            let frame = Frame(size: size, lines: (0..<300).map { Line(String(repeating: "\($0 % 10)", count: 400)) })
            let expected = frame.update(from: nil)
            let reader = Task.detached { [pty] in pty.output(until: "\u{1B}[?2026l") }
            #expect(TerminalDevice(input: pty.program, output: pty.program).writeAll(expected))
            #expect(await reader.value == expected)
            terminal.close()
        }

        @Test("When the terminal goes away it says so once, and is closed")
        func disconnecting() async {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            terminal.onDisconnect = { continuation.yield() }
            pty.hangUp()
            var disconnections = stream.makeAsyncIterator()
            await disconnections.next()
            terminal.show(Frame(size: terminal.size, lines: ["x"]))
            continuation.finish()
            #expect(await disconnections.next() == nil)
        }

        @Test("Closing from a key keeps the keys after it to itself")
        func closingWithinKeys() async {
            let terminal = terminal
            var count = 0
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                terminal.onKey = { _ in
                    count += 1
                    terminal.close()
                    DispatchQueue.main.async { done.resume() }
                }
                pty.type("abc")
            }
            #expect(count == 1)
        }
    }
}
