#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

#if os(Linux)
import CoreFoundation  // Declares the members of `termios`.
#endif

/// A terminal made by the kernel, of which the test is the screen and the keyboard.
final class PseudoTerminal: Sendable {
    /// The side of the screen and the keyboard.
    let controller: Int32
    /// The side of the program.
    let program: Int32
    /// The path by which another process opens the side of the program.
    let path: String

    init(rows: Int = 24, columns: Int = 80) throws {
        var ends: (controller: Int32, program: Int32) = (-1, -1)
        guard openpty(&ends.controller, &ends.program, nil, nil, nil) == 0 else { throw Failure.noPseudoTerminal }
        (controller, program) = ends
        path = String(cString: ttyname(program))
        resize(rows: rows, columns: columns)
    }

    enum Failure: Error {
        case noPseudoTerminal
    }

    deinit {
        close(controller)
        close(program)
    }

    func resize(rows: Int, columns: Int) {
        var window = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(program, UInt(TIOCSWINSZ), &window)
    }

    /// Sends what a keyboard would.
    func type(_ text: String) {
        _ = write(controller, text, text.utf8.count)
    }

    /// Takes the screen and the keyboard away. The number stays taken, so that nothing else is opened under it.
    func hangUp() {
        let nothing = open("/dev/null", O_RDWR)
        dup2(nothing, controller)
        close(nothing)
    }

    /// What the program has written and nobody has read; does not wait.
    func output() -> [UInt8] {
        var bytes: [UInt8] = []
        while isReadable {
            let piece = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                count = max(read(controller, buffer.baseAddress, buffer.count), 0)
            }
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    /// Reads until the text has come, at the end; waits for it.
    func output(until end: String) -> [UInt8] {
        var bytes: [UInt8] = []
        while !bytes.ends(with: end.utf8) {
            var byte: UInt8 = 0
            guard read(controller, &byte, 1) == 1 else { break }
            bytes.append(byte)
        }
        return bytes
    }

    /// The settings as `stty` would show them.
    var settings: Settings {
        var modes = termios()
        tcgetattr(program, &modes)
        return Settings(
            isCanonical: modes.c_lflag & tcflag_t(ICANON) != 0, echoes: modes.c_lflag & tcflag_t(ECHO) != 0,
            makesSignals: modes.c_lflag & tcflag_t(ISIG) != 0, processesOutput: modes.c_oflag & tcflag_t(OPOST) != 0)
    }

    struct Settings: Equatable {
        var isCanonical = true
        var echoes = true
        var makesSignals = true
        var processesOutput = true

        static let cooked = Settings()
        static let raw = Settings(isCanonical: false, echoes: false, makesSignals: false, processesOutput: false)
    }

    private var isReadable: Bool {
        var descriptor = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) == 1
    }
}

extension [UInt8] {
    fileprivate func ends(with end: String.UTF8View) -> Bool {
        suffix(end.count).elementsEqual(end)
    }
}
