#if os(Linux) || os(Android)
import CCurl
import Foundation
import Synchronization

/// The methods that libcurl's callbacks call. If a method returns false or an abort, the exchange ends with
/// ``CurlExchange/State/failure``.
extension CurlExchange {
    /// Records that the request has left the queue for connections and opens a new connection.
    func startConnecting(through handle: EasyHandle) {
        guard timers.connectingSince == nil else { return }
        let now = handle.loop.now
        timers.connectingSince = now
        handle.loop.scheduleTimerCheck(before: now + timers.limits.connect)
        let queued = (now - timers.requestStarted) / 1_000_000
        if queued > 100 {  // libcurl counts from the start of the request
            handle.allowConnecting(milliseconds: queued + timers.limits.connect / 1_000_000 + 1000)
        }
    }

    /// Returns true if the request may be sent over the connection that libcurl has chosen.
    ///
    /// If a kept connection ends before the first byte of the response, libcurl sends the request again, with any
    /// method. However, the server may have carried out the request (RFC 9110, section 9.2.2).
    func maySend(through handle: EasyHandle, localPort: Int32) -> Bool {
        // With SOCKS, libcurl may have looked up the name of the server after it had opened the socket to the proxy.
        handle.isResolving = false
        if state.mayBeChallenge { answerChallenge(through: handle) }
        // After a 417, or after too many challenges, libcurl would send the request again by itself.
        guard !state.hasHead else { return false }
        guard handle.sends == 0 || handle.isRepeatable else {
            state.failure = .outcomeUnknown("The connection ended before the response began")
            return false
        }
        let isNew = handle.opensConnection
        handle.opensConnection = false
        let tls = handle.tlsState
        handle.isStale = !isNew && !handle.isQuiet(tls, localPort: localPort)
        guard !handle.isStale else { return false }
        handle.noteConnection(tls, localPort: localPort, isNew: isNew)
        handle.sends += 1
        return true
    }

    func receive(headerLine: UnsafeRawBufferPointer, through handle: EasyHandle) -> Bool {
        timers.lastTraffic = handle.loop.now
        if handle.isMultiplexed, state.headLength > CurlLibrary.http2HeadBytes {
            return fail(.headersTooLarge, "The headers are longer than the installed libcurl accepts over HTTP/2")
        }
        switch state.receive(headerLine: headerLine) {
        case .part, .trailer:
            return true
        case .head:
            guard state.failure == nil else { return false }
            beginResponse(through: handle)
            return !state.endsAtHead
        case .tooLarge(let excess):
            return fail(.headersTooLarge, excess.description(handle.loop.options))
        }
    }

    /// Begins to pass on the response, because its head is complete.
    func beginResponse(through handle: EasyHandle) {
        if case .none = upload {  // the whole body was sent with the head of the request
            sent.store(max(0, sentTotal.load(ordering: .relaxed)), ordering: .relaxed)
        }
        if timers.awaitsSource {  // libcurl may need no more of the body, but does not end while the body is paused
            commands.submit(.supply(self))
        }
        beginBody(through: handle)
    }

    private func beginBody(through handle: EasyHandle) {
        guard !state.isPassing, let consumer = destination.consumer, let head = state.head else { return }
        let outlet = BodyOutlet(
            consumer, coding: state.treatment.coding, onDrained: { [self] in commands.submit(.resume(self)) },
            onEnd: { [self] error in commands.submit(.consumed(self, error)) })
        self.outlet = outlet
        outlet.begin(head)
    }

    /// Handles a piece of the body, before decoding.
    func receive(_ piece: UnsafeRawBufferPointer, through handle: EasyHandle) -> Bool {
        timers.lastTraffic = handle.loop.now
        if state.mayBeChallenge { deliverChallenge(through: handle) }
        let isFirst = state.bodyBytes == 0
        state.bodyBytes += piece.count
        if state.isPassing { return state.bodyBytes <= Self.discardLimit }
        if case .refuse(let reason) = state.treatment { return fail(.undecodable, reason) }
        if isFirst {
            receivedTotal.store(
                ccurl_get_offset(handle.easy, CCURL_INFO_CONTENT_LENGTH_DOWNLOAD_T), ordering: .relaxed)
        }
        received.store(Int64(state.bodyBytes), ordering: .relaxed)
        return outlet.map { pass(piece, to: $0, through: handle) } ?? store(piece, in: handle)
    }

    /// Returns true if libcurl must keep a piece of the body until ``EventLoop/resume(_:)``, because the consumer is
    /// slow.
    ///
    /// Returns false for HTTP/2, because other requests share the connection. If libcurl 8.14 is paused between two
    /// calls while it has more to read, it uses all the time of the thread until it is resumed.
    func mustPause(_ handle: EasyHandle) -> Bool {
        guard timers.awaitsConsumer, ccurl_version_number() >= CurlLibrary.firstThatSpinsInPauses,
            !handle.isMultiplexed, !handle.isPaused, outlet?.isFull == true
        else {
            return false
        }
        handle.isPaused = true
        handle.loop.sockets.hold(handle.socket)
        return true
    }

    private func store(_ piece: UnsafeRawBufferPointer, in handle: EasyHandle) -> Bool {
        let limit = handle.loop.options.bodyBytes
        let announced = Int(max(0, receivedTotal.load(ordering: .relaxed)))
        guard announced <= limit else { return fail(.bodyTooLarge, "The Content-Length of the body exceeds the limit") }
        switch handle.buffer.append(piece, announced: announced, limit: limit) {
        case .taken: return true
        case .overLimit: return fail(.bodyTooLarge, "The body exceeds the limit of \(limit) bytes")
        case .overBudget: return fail(.bodyTooLarge, BodyBudget.refusal)
        case .outOfMemory: return fail(.outOfMemory, "No memory for the body")
        }
    }

    private func pass(_ piece: UnsafeRawBufferPointer, to outlet: BodyOutlet, through handle: EasyHandle) -> Bool {
        switch outlet.append(piece) {
        case .taken: return true
        case .hold: handle.loop.hold(self)
        case .stop:
            handle.loop.hold(self)
            if handle.socket >= 0 { handle.loop.pause(self) }
        }
        return true
    }

    private func fail(_ kind: TransportError.Kind, _ message: String) -> Bool {
        state.failure = TransportError(kind, message)
        return false
    }

    /// Copies the next bytes of the request body to `buffer`. Returns their number, or a `CCURL_READFUNC_…`.
    func provide(_ buffer: UnsafeMutableRawBufferPointer, now: UInt64) -> Int {
        timers.lastTraffic = now
        guard !hasStoppedReading else {
            timers.awaitsSource = true
            handle?.loop.scheduleUploadCheck(of: self)
            return CCURL_READFUNC_PAUSE
        }
        let count: Int
        switch upload {
        case .none:
            return 0
        case .data(let data, let offset):
            count = min(buffer.count, data.count - offset)
            data.withUnsafeBytes { bytes in
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
            }
            upload = .data(data, offset: offset + count)
        case .inlet(let inlet):
            switch inlet.take(into: buffer) {
            case .bytes(let taken): count = taken
            case .end:
                timers.hasReadSource = true
                return 0
            case .later:
                timers.awaitsSource = true
                return CCURL_READFUNC_PAUSE
            case .failed:
                state.failure = inlet.error
                return CCURL_READFUNC_ABORT
            }
        }
        sent.add(Int64(count), ordering: .relaxed)
        return count
    }

    /// Moves back in the request body, because libcurl sends it again on another connection. Returns false if this is
    /// impossible.
    func seek(to offset: Int64) -> Bool {
        switch upload {
        case .none:
            return true
        case .data(let data, _):
            guard 0...Int64(data.count) ~= offset else { return false }
            upload = .data(data, offset: Int(offset))
            sent.store(offset, ordering: .relaxed)
            return true
        case .inlet:
            guard offset != sent.load(ordering: .relaxed) else { return true }
            return state.request.login != nil && offset == 0 && rewindForLogin()
        }
    }

    /// The maximum length, in bytes, of the body of a redirect that is read to its end so that the connection can be
    /// used again.
    private static let discardLimit = 256 << 10
}

extension ResponseDestination {
    fileprivate var consumer: (any BodyConsumer)? {
        switch self {
        case .memory: nil
        case .file(let url): FileConsumer(url)
        case .consumer(let consumer): consumer
        }
    }
}

extension ResponseHeadParser.Excess {
    fileprivate func description(_ options: TransportOptions) -> String {
        switch self {
        case .bytes: "The headers exceed the limit of \(options.headerBytes) bytes"
        case .fields: "The response exceeds the limit of \(options.headerFields) header fields"
        }
    }
}
#endif
