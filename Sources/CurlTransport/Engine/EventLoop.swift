#if os(Linux) || os(Android)
import CCurl
import Foundation

/// The work of an engine's thread: it waits for sockets, timers and commands, and calls libcurl.
///
/// The loop has a multi handle of libcurl for each kind of exchange, all driven by one epoll set. libcurl's timer value
/// 0 means at once; rounding it up would cost a millisecond for each request.
final class EventLoop: @unchecked Sendable {  // sound: after the thread has started, used by that alone
    let options: TransportOptions

    /// The time of the last event, in nanoseconds of the monotonic clock.
    private(set) var now = UInt64.monotonicNow

    /// The lanes that have been used. The first is that of loads.
    private(set) var lanes: [Lane] = []
    let budget: BodyBudget
    let settings: EasySettings
    var live: [CurlExchange] = []
    var pool: [EasyHandle] = []
    var abandoned: [EasyHandle] = []
    /// The cookies of the jars in use, by the numbers of the jars.
    var shares: [Int: CookieShare] = [:]
    private let commands: CommandQueue
    var sockets: SocketWatch
    private var batch: [CommandQueue.Command] = []
    private var toHold: [CurlExchange] = []
    /// The exchanges that have ended, and whose completions must be called.
    private var ended: [CurlExchange] = []
    private var completing: [CurlExchange] = []
    private var completions = CompletionBatch()
    /// The exchanges from whose connections libcurl no longer reads, although it has more of their bodies to send.
    private var stoppedReading: [CurlExchange] = []
    private var ownTimer = UInt64.max
    private var isStopping = false

    /// Creates the loop. Throws if the system has no more descriptors, or if the installed libcurl does not support the
    /// options.
    init(_ options: TransportOptions, _ commands: CommandQueue) throws(TransportError) {
        self.options = options
        self.commands = commands
        budget = BodyBudget(limit: options.totalBodyBytes)
        settings = EasySettings(options)
        sockets = try SocketWatch()
        sockets.watchInput(of: commands.descriptor)
        _ = try lane(.load)
        guard let handle = EasyHandle(settings: settings, loop: self) else {
            throw TransportError(.unsupported, "The installed libcurl does not support all options of the transport")
        }
        pool.append(handle)
    }

    /// Runs until it is told to stop. At that time, no exchange is left.
    func run() {
        ccurl_block_signals()
        withUnsafeTemporaryAllocation(of: ccurl_event.self, capacity: 64) { events in
            while !isStopping {
                runOnce(events)
            }
        }
        commands.end()
        pool = []
        for handle in abandoned {
            handle.leaveLane()
        }
        abandoned = []
        shares = [:]
        for lane in lanes { lane.close() }
    }

    /// Returns the lane of a kind of exchanges. Creates it at its first use.
    func lane(_ kind: Lane.Kind) throws(TransportError) -> Lane {
        if let lane = lanes.first(where: { $0.kind == kind }) { return lane }
        guard let lane = Lane(kind, of: self) else { throw TransportError(.outOfMemory, "No memory for libcurl") }
        lanes.append(lane)
        return lane
    }

    /// The time at which a lane must be called.
    private var curlTimer: UInt64 {
        var time = lanes[0].timer
        for lane in lanes.dropFirst() { time = min(time, lane.timer) }
        return time
    }

    private func runOnce(_ events: UnsafeMutableBufferPointer<ccurl_event>) {
        now = .monotonicNow
        performCommands()
        if curlTimer <= now {
            for lane in lanes where lane.timer <= now {
                lane.timer = .max
                _ = ccurl_multi_action(lane.multi, Int32(CCURL_SOCKET_TIMEOUT), 0)
            }
            settle()
        } else {
            if ownTimer <= now { checkTimers() }
            if !isStopping, curlTimer > now { waitForEvents(events) }
        }
        if completions.isDue(now: now) { callCompletions() }
    }

    /// Handles the events of sockets. Waits for them, unless completions must be called. Then it calls these
    /// completions if there is no event.
    private func waitForEvents(_ events: UnsafeMutableBufferPointer<ccurl_event>) {
        guard ended.isEmpty else {
            let count = live.isEmpty ? 0 : sockets.wait(0, events: events)
            return count == 0 ? callCompletions() : handle(events[..<count])
        }
        guard commands.prepareToSleep() else { return }
        let next = min(curlTimer, ownTimer)
        handle(events[..<sockets.wait(next == .max ? nil : next - min(next, now), events: events)])
    }

    private func handle(_ events: Slice<UnsafeMutableBufferPointer<ccurl_event>>) {
        now = .monotonicNow
        for event in events {
            handle(event)
        }
        settle()
    }

    private func handle(_ event: ccurl_event) {
        if event.descriptor == commands.descriptor {
            ccurl_eventfd_clear(event.descriptor)
        } else if sockets.isWanted(event, now: now) {
            _ = ccurl_multi_action(lanes[sockets.lane(of: event)].multi, event.descriptor, event.events)
        }
    }

    private func performCommands() {
        commands.take(into: &batch)
        for command in batch {
            switch command {
            case .start(let exchange): start(exchange)
            case .cancel(let exchange): fail(exchange, with: TransportError(.cancelled, "Cancelled"))
            case .resume(let exchange): resume(exchange)
            case .supply(let exchange): supply(exchange)
            case .consumed(let exchange, let error): consumed(exchange, error)
            case .perform(let work): work(self)
            case .stop: isStopping = true
            }
        }
        batch.removeAll(keepingCapacity: true)
    }

    /// Ends the exchanges that libcurl has finished, and pauses the exchanges that must wait for a consumer.
    private func settle() {
        var code: Int32 = 0
        var isFirst = true
        for lane in lanes {
            while let easy = ccurl_multi_next_done(lane.multi, &code) {
                // libcurl may have worked for a long time, even through whole exchanges
                if isFirst { now = .monotonicNow }
                isFirst = false
                if let handle = EasyHandle.from(ccurl_get_private(easy)) {
                    finished(handle, code: Int(code))
                }
            }
        }
        if !stoppedReading.isEmpty {
            for exchange in exchange(&stoppedReading, with: []) where exchange.hasStoppedReading { endUpload(exchange) }
        }
        guard !toHold.isEmpty else { return }
        for exchange in toHold where exchange.timers.awaitsConsumer {
            pause(exchange)
        }
        toHold.removeAll()
    }

    // MARK: Completions

    /// Schedules the completion of an exchange that has ended.
    func scheduleCompletion(of exchange: CurlExchange) {
        completions.add(now: now)
        ended.append(exchange)
    }

    private func callCompletions() {
        completions.clear()
        swap(&ended, &completing)
        for exchange in completing {
            exchange.complete(budget: budget)
        }
        completing.removeAll(keepingCapacity: true)
    }

    // MARK: Timers

    /// Ensures that the time-outs are checked before `time`.
    func scheduleTimerCheck(before time: UInt64) {
        ownTimer = min(ownTimer, time)
    }

    private func checkTimers() {
        ownTimer = .max
        var late: [(CurlExchange, TransportError.Phase)] = []
        for exchange in live {
            switch exchange.checkTimers(now: now) {
            case .timedOut(let phase): late.append((exchange, phase))
            case .openConnection:
                stopWaitingForSharing(exchange)
                scheduleTimerCheck(before: now + Self.timerPrecision)
            case .wait(let time): scheduleTimerCheck(before: max(time, now + Self.timerPrecision))
            }
        }
        for (exchange, phase) in late {
            if exchange.hasStoppedReading, let handle = exchange.handle, exchange.isWhole(in: handle) {
                finished(handle, code: Int(CCURL_OK.rawValue))
                continue
            }
            if phase != .connecting {
                let silence = max(exchange.timers.lastTraffic, exchange.timers.requestStarted)
                exchange.handle?.endConnection(ifSilentSince: min(silence, now - min(now, Self.minimumSilence)))
            }
            fail(exchange, with: TransportError(.timedOut(while: phase), "Timed out while \(phase)"))
        }
    }

    /// The time between two checks of all exchanges, in nanoseconds.
    private static let timerPrecision: UInt64 = 5_000_000

    /// The time without a byte from an HTTP/2 peer after which the peer may count as dead, in nanoseconds.
    private static let minimumSilence: UInt64 = 1_000_000_000

    // MARK: Back-pressure

    /// Stops receiving for `exchange` after libcurl's current call. Bytes that arrive during that call are still taken.
    func hold(_ exchange: CurlExchange) {
        guard !exchange.timers.awaitsConsumer else { return }
        exchange.timers.awaitsConsumer = true
        toHold.append(exchange)
    }

    // MARK: Uploads after the response

    /// Handles a change of the events (`CCURL_POLL_…`) for which libcurl watches the connection of an upload.
    ///
    /// libcurl stops reading when the response is complete or the server has closed the connection. Unless the response
    /// was an error, it continues to send the body, or waits for the source. Then ``CurlExchange/provide(_:now:)``
    /// pauses the body. If libcurl still does not read after that, it has stopped reading permanently. Otherwise it had
    /// stopped only until it had sent some bytes, as TLS may require. A response with its announced length is complete
    /// at once. Without TLS, any response is, because the server may accept no more bytes.
    private func note(_ exchange: CurlExchange, _ handle: EasyHandle, watches what: Int32) {
        guard handle.hasBegunToSend, !handle.isPaused, !exchange.state.mayBeChallenge else { return }
        let reads = what & Int32(CCURL_POLL_IN) != 0
        if reads, exchange.hasStoppedReading { commands.submit(.supply(exchange)) }
        exchange.hasStoppedReading = !reads
        guard !reads else { return }
        let isOver = handle.isSecure ? exchange.hasAnnouncedBody(in: handle) : exchange.state.hasHead
        if isOver || exchange.timers.awaitsSource { stoppedReading.append(exchange) }
    }

    /// Schedules a check of an upload. libcurl asks for more of a body although it does not read from the connection.
    /// It may already watch the connection for no event, and would not report this again.
    func scheduleUploadCheck(of exchange: CurlExchange) {
        stoppedReading.append(exchange)
    }

    // MARK: Callbacks of libcurl

    /// Watches a socket for the events that libcurl requests (`CCURL_POLL_…`).
    func watch(_ socket: Int32, for what: Int32, of easy: OpaquePointer?, in lane: Lane) {
        sockets.watch(socket, for: what, in: lane.index)
        guard let easy, let handle = EasyHandle.from(ccurl_get_private(easy)) else { return }
        if what != CCURL_POLL_REMOVE { handle.socket = socket }
        if let exchange = handle.exchange, exchange.isUploading { note(exchange, handle, watches: what) }
    }

    static func from(_ data: UnsafeMutableRawPointer?) -> EventLoop? {
        data.map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }
}
#endif
