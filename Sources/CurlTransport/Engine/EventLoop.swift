#if os(Linux)
import CCurl
import Foundation

/// What the thread of an engine does: waits for sockets, timers and commands, and lets libcurl work.
///
/// One multi handle, driven by epoll. libcurl's timer value 0 means now; rounding it up would cost a millisecond a
/// request.
final class EventLoop: @unchecked Sendable {  // sound: after the thread has started, used by that alone
    let options: TransportOptions

    /// Nanoseconds of the monotonic clock at the last event.
    private(set) var now = UInt64.monotonicNow

    let multi: OpaquePointer
    let budget: BodyBudget
    let settings: EasySettings
    var live: [Transfer] = []
    var pool: [EasyHandle] = []
    var abandoned: [EasyHandle] = []
    private let commands: CommandQueue
    var sockets: SocketWatch
    private var batch: [CommandQueue.Command] = []
    private var toHold: [Transfer] = []
    /// Transfers on whose connections libcurl reads no longer, although it has more of their bodies to send.
    private var stoppedReading: [Transfer] = []
    private var curlTimer = UInt64.max
    private var ownTimer = UInt64.max
    private var isStopping = false

    /// Throws if the system has no more descriptors, or the options ask for what the installed libcurl cannot do.
    init(_ options: TransportOptions, _ commands: CommandQueue) throws(TransportError) {
        guard let multi = ccurl_multi_make() else { throw TransportError(.outOfMemory, "No memory for libcurl") }
        self.options = options
        self.commands = commands
        self.multi = multi
        budget = BodyBudget(limit: options.totalBodyBytes)
        settings = EasySettings(options)
        do throws(TransportError) {
            sockets = try SocketWatch()
        } catch {
            ccurl_multi_cleanup(multi)
            throw error
        }
        sockets.watchInput(of: commands.descriptor)
        setUpMulti()
        guard let handle = EasyHandle(settings: settings, loop: self) else {
            ccurl_multi_cleanup(multi)
            throw TransportError(.unsupported, "The installed libcurl cannot do what the options ask for")
        }
        pool.append(handle)
    }

    /// Runs until it is told to stop; then no transfer is left.
    func run() {
        ccurl_block_signals()
        withUnsafeTemporaryAllocation(of: ccurl_event.self, capacity: 64) { events in
            while !isStopping {
                turn(events)
            }
        }
        commands.end()
        pool = []
        for handle in abandoned {
            ccurl_multi_remove(multi, handle.easy)
        }
        abandoned = []
        ccurl_multi_cleanup(multi)
    }

    private func turn(_ events: UnsafeMutableBufferPointer<ccurl_event>) {
        now = .monotonicNow
        performCommands()
        if curlTimer <= now {
            curlTimer = .max
            _ = ccurl_multi_action(multi, Int32(CCURL_SOCKET_TIMEOUT), 0)
            return settle()
        }
        if ownTimer <= now {
            checkTimers()
        }
        guard !isStopping, curlTimer > now, commands.prepareToSleep() else { return }
        let next = min(curlTimer, ownTimer)
        let count = sockets.wait(next == .max ? nil : next - min(next, now), events: events)
        now = .monotonicNow
        for event in events[..<count] {
            handle(event)
        }
        settle()
    }

    private func handle(_ event: ccurl_event) {
        if event.descriptor == commands.descriptor {
            ccurl_eventfd_clear(event.descriptor)
        } else if sockets.isWanted(event, now: now) {
            _ = ccurl_multi_action(multi, event.descriptor, event.events)
        }
    }

    private func performCommands() {
        commands.take(into: &batch)
        for command in batch {
            switch command {
            case .start(let transfer): start(transfer)
            case .cancel(let transfer): fail(transfer, with: TransportError(.cancelled, "Cancelled"))
            case .resume(let transfer): resume(transfer)
            case .supply(let transfer): supply(transfer)
            case .consumed(let transfer, let error): consumed(transfer, error)
            case .stop: isStopping = true
            }
        }
        batch.removeAll(keepingCapacity: true)
    }

    /// Takes note of what libcurl has finished, and holds back what has to wait for a consumer.
    private func settle() {
        var code: Int32 = 0
        var isFirst = true
        while let easy = ccurl_multi_next_done(multi, &code) {
            if isFirst { now = .monotonicNow }  // libcurl may have taken its time, with whole transfers in it
            isFirst = false
            if let handle = EasyHandle.behind(ccurl_get_private(easy)) {
                finished(handle, code: Int(code))
            }
        }
        if !stoppedReading.isEmpty {
            for transfer in exchange(&stoppedReading, with: []) where transfer.hasStoppedReading { endUpload(transfer) }
        }
        guard !toHold.isEmpty else { return }
        for transfer in toHold where transfer.timers.awaitsConsumer {
            pause(transfer)
        }
        toHold.removeAll()
    }

    // MARK: Timers

    /// Makes sure that time-outs are looked at before `time`.
    func lookAtTimers(before time: UInt64) {
        ownTimer = min(ownTimer, time)
    }

    private func checkTimers() {
        ownTimer = .max
        var late: [(Transfer, TransportError.Phase)] = []
        for transfer in live {
            switch transfer.checkTimers(now: now) {
            case .timedOut(let phase): late.append((transfer, phase))
            case .openConnection:
                stopWaitingForSharing(transfer)
                lookAtTimers(before: now + Self.timerPrecision)
            case .wait(let time): lookAtTimers(before: max(time, now + Self.timerPrecision))
            }
        }
        for (transfer, phase) in late {
            if transfer.hasStoppedReading, let handle = transfer.handle, transfer.isWhole(in: handle) {
                finished(handle, code: Int(CCURL_OK.rawValue))
                continue
            }
            if phase != .connecting {
                let silence = max(transfer.timers.lastMove, transfer.timers.requestStarted)
                transfer.handle?.endConnection(ifSilentSince: min(silence, now - min(now, Self.shortestSilence)))
            }
            fail(transfer, with: TransportError(.timedOut(while: phase), "Timed out while \(phase)"))
        }
    }

    /// Nanoseconds between two looks at all transfers.
    private static let timerPrecision: UInt64 = 5_000_000

    /// Nanoseconds without a byte from a peer of HTTP/2 before it may be taken for dead.
    private static let shortestSilence: UInt64 = 1_000_000_000

    // MARK: Back-pressure

    /// Stops receiving for `transfer` when libcurl has done what it is at; what comes until then is taken.
    func hold(_ transfer: Transfer) {
        guard !transfer.timers.awaitsConsumer else { return }
        transfer.timers.awaitsConsumer = true
        toHold.append(transfer)
    }

    // MARK: Uploads after the response

    /// libcurl watches the connection of an upload for something else than before: `CCURL_POLL_…`.
    ///
    /// It stops reading when the response is over or the other side has closed the connection, but goes on to send the
    /// body, or waits for the source, unless the response was an error. Then the body is paused; if nothing is watched
    /// after that, reading is over for good, and not only until something is sent, as TLS may want it. A response that
    /// is as long as announced is over at once, and without TLS any response: the other side may take nothing more.
    private func note(_ transfer: Transfer, _ handle: EasyHandle, watches what: Int32) {
        guard handle.sends > 0, !handle.isPaused else { return }
        let reads = what & Int32(CCURL_POLL_IN) != 0
        if reads, transfer.hasStoppedReading { commands.submit(.supply(transfer)) }
        transfer.hasStoppedReading = !reads
        guard !reads else { return }
        let isOver = handle.isSecure ? transfer.hasAnnouncedBody(in: handle) : transfer.state.hasHead
        if isOver || transfer.timers.awaitsSource { stoppedReading.append(transfer) }
    }

    /// libcurl wants more of a body on whose connection it does not read; it may watch that for nothing already, and
    /// would not say so again.
    func lookAtUpload(of transfer: Transfer) {
        stoppedReading.append(transfer)
    }

    // MARK: libcurl's wishes

    private func setUpMulti() {
        let data = Unmanaged.passUnretained(self).toOpaque()
        for (option, value) in [
            (CCURL_MULTI_OPT_MAX_HOST_CONNECTIONS, options.connectionsPerHost),
            (CCURL_MULTI_OPT_MAX_TOTAL_CONNECTIONS, options.connections),
            (CCURL_MULTI_OPT_MAXCONNECTS, options.keptConnections),
            (CCURL_MULTI_OPT_PIPELINING, CCURL_PIPE_MULTIPLEX),
        ] {
            _ = ccurl_multi_set_long(multi, option, min(max(1, value), 1_000_000))
        }
        _ = ccurl_multi_set_data(multi, CCURL_MULTI_OPT_SOCKETDATA, data)
        _ = ccurl_multi_set_data(multi, CCURL_MULTI_OPT_TIMERDATA, data)
        _ = ccurl_multi_set_socket(multi) { easy, socket, what, data, _ in
            guard let loop = EventLoop.behind(data) else { return 0 }
            loop.sockets.watch(socket, for: what)
            guard let easy, let handle = EasyHandle.behind(ccurl_get_private(easy)) else { return 0 }
            if what != CCURL_POLL_REMOVE { handle.socket = socket }
            if let transfer = handle.transfer, transfer.isUploading { loop.note(transfer, handle, watches: what) }
            return 0
        }
        _ = ccurl_multi_set_timer(multi) { _, milliseconds, data in
            EventLoop.behind(data)?.setCurlTimer(milliseconds)
            return 0
        }
    }

    private func setCurlTimer(_ milliseconds: Int) {
        curlTimer = milliseconds < 0 ? .max : milliseconds == 0 ? 0 : .monotonicNow + UInt64(milliseconds) * 1_000_000
    }

    static func behind(_ data: UnsafeMutableRawPointer?) -> EventLoop? {
        data.map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }
}
#endif
