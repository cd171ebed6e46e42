public import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The terminal of the process: shows frames, and tells of keys.
///
/// From `init` to ``close()`` the terminal is in raw mode and on its alternate screen, with the cursor hidden. It is
/// given back as it was found by ``close()``, by `exit`, by the signals INT, TERM, HUP and QUIT, and by a crash, after
/// which whoever caught the signal before (the Swift backtrace) has its turn. SIGKILL leaves it as it is, and so may a
/// stack overflow on another thread than the one that made the terminal.
///
/// What else is printed meanwhile lands in the middle of the screen, and is gone with it, the message of a `fatalError`
/// included; redirect the standard error to keep it.
///
/// All happens on the main queue: `dispatchMain()` or a main run loop must run. Ctrl-C and Ctrl-Z arrive as keys; what
/// they do is up to the client, see ``suspend()``.
@MainActor
public final class Terminal {
    private enum Phase {
        case shown, suspended, closed
    }

    /// How long a paste may pause before it counts as whole.
    private static let pastePatience = DispatchTimeInterval.seconds(1)

    /// The size of the screen, 80×24 if the terminal does not tell.
    public private(set) var size: TerminalSize

    /// Called with each key, in order. Not called any more once the terminal is closed.
    public var onKey: @MainActor (Key) -> Void = { _ in }

    /// Called when the screen may have another size; a frame for it should be shown.
    public var onResize: @MainActor (TerminalSize) -> Void = { _ in }

    /// Called once when the terminal has gone away: the window was closed, the connection broke. It is closed then.
    ///
    /// Ends the process with status 129 (as SIGHUP would) unless it is set to something else.
    public var onDisconnect: @MainActor () -> Void = { exit(128 + SIGHUP) }

    private let device: TerminalDevice
    private let colors: ColorMode
    private let escapePatience: DispatchTimeInterval
    private var phase = Phase.shown
    private var parser = KeyParser()
    private var shown: Frame?
    private var input: (any DispatchSourceRead)?
    private var patience: (any DispatchSourceTimer)?
    private var signals: SignalRelay?

    /// Takes over the terminal; nil if `input` or `output` is none, or if another ``Terminal`` is open.
    ///
    /// - Parameters:
    ///   - input: The file descriptor keys are read from; the standard input by default.
    ///   - output: The file descriptor frames are written to; the standard output by default.
    ///   - colors: Whether colours are sent; the variable `NO_COLOR` decides by default.
    ///   - escapePatience: How long the rest of an escape sequence may take. Then an ESC is the Escape key.
    public init?(
        input: Int32 = 0, output: Int32 = 1, colors: ColorMode = .fromEnvironment,
        escapePatience: DispatchTimeInterval = .milliseconds(50)
    ) {
        device = TerminalDevice(input: input, output: output)
        self.colors = colors
        self.escapePatience = escapePatience
        size = device.size
        guard device.isTerminal, TerminalRestorer.open(device) else { return nil }
        listen()
        enter()
    }

    /// Shows a frame: writes what differs from the last one, in one go.
    ///
    /// A frame of another size is cut or extended. While suspended it is kept until the process resumes; once closed,
    /// nothing is done.
    public func show(_ frame: Frame) {
        let frame = frame.resized(to: size)
        if phase == .shown { write(frame.update(from: shown, colors: colors)) }
        shown = frame
    }

    /// Writes the last frame once more, all of it: for when something else wrote to the screen.
    public func redraw() {
        guard let frame = shown else { return }
        shown = nil
        show(frame)
    }

    /// Gives the terminal back and stops the process, as Ctrl-Z does elsewhere. Returns when it is continued; then the
    /// last frame is shown again.
    public func suspend() {
        guard phase == .shown else { return }
        phase = .suspended
        TerminalRestorer.restore()
        kill(getpid(), SIGSTOP)
    }

    /// Gives the terminal back for good; does nothing the second time.
    public func close() {
        guard phase != .closed else { return }
        phase = .closed
        input?.cancel()
        patience?.cancel()
        signals?.cancel()
        (input, patience, signals) = (nil, nil, nil)
        TerminalRestorer.close()
    }
}

extension Terminal {
    private func listen() {
        let source = DispatchSource.makeReadSource(fileDescriptor: device.input, queue: .main)
        source.setEventHandler { MainActor.assumeIsolated { self.read() } }
        source.activate()
        input = source
        signals = SignalRelay([SIGWINCH, SIGTSTP, SIGCONT]) { self.receive($0) }
    }

    private func receive(_ signal: Int32) {
        switch signal {
        case SIGWINCH: resize()
        case SIGTSTP: suspend()
        default: resume()
        }
    }

    /// Alternate screen, cursor hidden, long lines cut instead of wrapped, bracketed paste.
    private func enter() {
        TerminalRestorer.enter()
        write(Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h".utf8))
    }

    private func resume() {
        guard phase != .closed else { return }
        phase = .shown
        enter()
        let before = size
        size = device.size
        redraw()
        if size != before { onResize(size) }
    }

    /// The screen may be in disorder even if the size is the same again; so the next frame is written in full.
    private func resize() {
        guard phase != .closed else { return }
        size = device.size
        shown = nil
        onResize(size)
    }

    private func read() {
        guard phase != .closed else { return }
        switch device.readAvailable() {
        case .bytes(let bytes): deliver(parser.feed(bytes))
        case .nothing: break
        case .end: disconnect()
        }
        wait()
    }

    private func deliver(_ keys: [Key]) {
        for key in keys where phase != .closed { onKey(key) }
    }

    /// Waits for the rest of a key that has begun.
    private func wait() {
        patience?.cancel()
        patience = nil
        guard phase != .closed, parser.waiting != .nothing else { return }
        let source = DispatchSource.makeTimerSource(queue: .main)
        source.schedule(deadline: .now() + (parser.waiting == .paste ? Self.pastePatience : escapePatience))
        source.setEventHandler { MainActor.assumeIsolated { self.giveUpWaiting() } }
        source.activate()
        patience = source
    }

    private func giveUpWaiting() {
        guard patience != nil else { return }
        patience = nil
        deliver(parser.flush())
    }

    private func write(_ bytes: [UInt8]) {
        if !bytes.isEmpty, !device.writeAll(bytes) { disconnect() }
    }

    private func disconnect() {
        guard phase != .closed else { return }
        close()
        onDisconnect()
    }
}
