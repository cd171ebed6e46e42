#if os(Linux) || os(Android)
import CCurl
import Foundation
import Synchronization

/// The preparation, the measurement and the repetition of each request of an exchange.
extension CurlExchange {
    /// Prepares the body for libcurl, and returns its length; nil if there is no body or its length is unknown.
    func prepareUpload(_ content: RequestPlan.Content, again: Bool) throws(TransportError) -> Int64? {
        sent.store(0, ordering: .relaxed)
        sentTotal.store(0, ordering: .relaxed)
        switch (content, state.request.body) {
        case (.none, _):
            return nil
        case (.small(let data), _):
            sentTotal.store(Int64(data.count), ordering: .relaxed)
            return Int64(data.count)
        case (.upload(let length), .data(let data)):
            upload = .data(data, offset: 0)
            sentTotal.store(length ?? -1, ordering: .relaxed)
            return length
        case (.upload, .file(let url)):
            let file = try FileSource(url)
            open(file, length: file.length, rewinding: false)
            return file.length
        case (.upload(let length), .stream(let source, _)):
            open(source, length: length, rewinding: again)
            return length
        case (.upload, .none):
            return nil
        }
    }

    /// Begins to read a source.
    func open(_ source: any BodySource, length: Int64?, rewinding: Bool) {
        sentTotal.store(length ?? -1, ordering: .relaxed)
        let inlet = BodyInlet(source, length: length) { [weak self] in
            guard let self else { return }
            commands.submit(.supply(self))
        }
        upload = .inlet(inlet)
        inlet.begin(rewinding: rewinding, after: stoppedInlet)
        stoppedInlet = nil
    }

    /// Returns true if a request can be sent now. If a body is announced as empty, libcurl asks for no byte of it.
    /// Therefore its source must end before the request is sent.
    func mayBegin(uploadLength: Int64?) throws(TransportError) -> Bool {
        guard uploadLength == 0, case .inlet(let inlet) = upload else { return true }
        let supply = inlet.take(into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
        if supply == .failed { throw inlet.error ?? .file("a body") }
        awaitsEmptyBody = supply == .later
        timers.awaitsSource = awaitsEmptyBody
        return !awaitsEmptyBody
    }

    /// Stops reading the source of the body.
    func stopUpload() {
        if case .inlet(let inlet) = upload {
            inlet.stop()
            stoppedInlet = inlet
        }
        upload = .none
    }

    /// True if libcurl still needs bytes of the body.
    var isUploading: Bool { hasMore(after: sent.load(ordering: .relaxed)) }

    private func hasMore(after sent: Int64) -> Bool {
        if case .none = upload { return false }
        let total = sentTotal.load(ordering: .relaxed)
        return total < 0 ? !timers.hasReadSource : sent < total
    }

    /// Returns true if the response is complete after libcurl has stopped reading it.
    ///
    /// If the response has no length, libcurl has seen its end, unless the connection or only its TLS session has
    /// ended. Bytes that libcurl has left in the socket show that it has not reached the end of the connection.
    func isWhole(in handle: EasyHandle) -> Bool {
        guard state.hasHead else { return false }
        guard announcedBytes(in: handle) < 0 else { return hasAnnouncedBody(in: handle) }
        guard ccurl_version_number() < CurlLibrary.firstWithEndInUpload else { return true }
        guard ccurl_socket_has_ended(handle.socket) == 0 else { return false }
        return !handle.isSecure || ccurl_tls_is_open(handle.easy) != 0
    }

    /// Returns true if the response is complete, although libcurl has failed to send the rest of the request: an HTTP/2
    /// server that does not need it ends the stream (RFC 9113, section 8.1).
    func isWhole(despite code: Int, _ handle: EasyHandle) -> Bool {
        guard handle.isMultiplexed, code == CCURL_HTTP2_STREAM.rawValue || code == CCURL_SEND_ERROR.rawValue else {
            return false
        }
        return hasAnnouncedBody(in: handle)
    }

    /// Returns true if the response has an announced length, and its body has reached this length.
    func hasAnnouncedBody(in handle: EasyHandle) -> Bool {
        guard state.hasHead, case let announced = announcedBytes(in: handle), announced >= 0 else { return false }
        return ccurl_get_offset(handle.easy, CCURL_INFO_SIZE_DOWNLOAD_T) >= announced
    }

    private func announcedBytes(in handle: EasyHandle) -> Int64 {
        ccurl_get_offset(handle.easy, CCURL_INFO_CONTENT_LENGTH_DOWNLOAD_T)
    }

    /// Resets the state of the response before the next request.
    func startOver() {
        hasStoppedReading = false
        received.store(0, ordering: .relaxed)
        receivedTotal.store(-1, ordering: .relaxed)
    }

    /// Returns the result of the time-outs at `now`.
    func checkTimers(now: UInt64) -> ExchangeTimers.Decision {
        let connected = handle.map { ccurl_get_offset($0.easy, CCURL_INFO_PRETRANSFER_TIME_T) } ?? 0
        if let handle, connected == 0, timers.connectingSince == nil {
            handle.allowConnecting(milliseconds: .max)  // queued: libcurl counts this time, the transport does not
        }
        return timers.decision(
            now: now, connected: connected > 0 ? UInt64(connected) * 1000 : nil, hasHead: state.hasHead,
            traffic: traffic, waitsForSharing: handle?.waitsForSharing ?? false)
    }

    /// True if the server has refused the `Expect` field, and the request can be sent again without it.
    var mayDropExpectation: Bool {
        state.isExpectationRefused && state.request.body.canBeSentAgain && !destination.isStreamed
    }

    /// The current traffic, for the time-outs.
    private var traffic: ExchangeTimers.Traffic {
        guard let easy = handle?.easy, !(state.isEventStream && destination.isStreamed) else { return .unmonitored }
        let uploaded = ccurl_get_offset(easy, CCURL_INFO_SIZE_UPLOAD_T)
        guard state.hasHead || hasMore(after: uploaded) else { return .waiting }
        return .body(uploaded + ccurl_get_offset(easy, CCURL_INFO_SIZE_DOWNLOAD_T))
    }

    /// Updates the metrics with the measurements of the current request.
    func measure(now: UInt64) {
        metrics.total = Double(now - min(now, timers.started)) / 1e9
        metrics.redirects = state.redirects
        guard let easy = handle?.easy else { return }
        metrics.firstByte = seconds(easy, CCURL_INFO_STARTTRANSFER_TIME_T)
        let uploaded = ccurl_get_offset(easy, CCURL_INFO_SIZE_UPLOAD_T)  // with the framing of chunks
        if case .none = upload { sent.store(uploaded, ordering: .relaxed) }
        metrics.bytesSent = min(uploaded, sent.load(ordering: .relaxed))
        metrics.bytesReceived = ccurl_get_offset(easy, CCURL_INFO_SIZE_DOWNLOAD_T)
        received.store(metrics.bytesReceived, ordering: .relaxed)
        metrics.isReusedConnection =
            metrics.firstByte > 0 && ccurl_get_long(easy, CCURL_INFO_NUM_CONNECTS) == 0
        let isNew = !metrics.isReusedConnection
        metrics.nameLookup = isNew ? seconds(easy, CCURL_INFO_NAMELOOKUP_TIME_T) : 0
        metrics.connect = isNew ? seconds(easy, CCURL_INFO_CONNECT_TIME_T) : 0
        metrics.tls = isNew ? seconds(easy, CCURL_INFO_APPCONNECT_TIME_T) : 0
    }

    private func seconds(_ easy: OpaquePointer, _ info: ccurl_info) -> Double {
        Double(ccurl_get_offset(easy, info)) / 1e6
    }

    /// Returns true if the state of the connection allows sending a failed request again.
    func mayBeSentAgain(after code: Int, _ handle: EasyHandle) -> Bool {
        if report(code, handle).isCutHandshake { return handle.isRepeatable || handle.sends == 0 }
        guard handle.isRepeatable else { return false }
        if handle.isStale || code == CCURL_SEND_FAIL_REWIND.rawValue { return true }
        if handle.isMultiplexed, mayHaveLostResponse(code, handle), !avoidsHTTP2 {
            avoidsHTTP2 = true
            return true
        }
        return (handle.isMultiplexed || handle.usedKeptConnections) && report(code, handle).kind == .connectionLost
    }

    /// Returns true if libcurl may have dropped a whole response, because the server has ended the stream before
    /// libcurl had sent the whole request (RFC 9113, section 8.1). libcurl 7.88 then reports an error of the stream
    /// without a message, or an empty response. The request is sent again over HTTP/1.1, where this cannot happen.
    private func mayHaveLostResponse(_ code: Int, _ handle: EasyHandle) -> Bool {
        code == CCURL_GOT_NOTHING.rawValue || code == CCURL_HTTP2_STREAM.rawValue && handle.errorMessage == nil
    }

    /// Returns libcurl's data about a failure.
    func report(_ code: Int, _ handle: EasyHandle) -> TransportError.CurlReport {
        let isConnected = ccurl_get_offset(handle.easy, CCURL_INFO_PRETRANSFER_TIME_T) > 0
        let text = handle.errorMessage ?? String(cString: ccurl_text(Int32(code)))
        return TransportError.CurlReport(
            code: code, text: TransportText.message(text),
            errno: Int32(truncatingIfNeeded: ccurl_get_long(handle.easy, CCURL_INFO_OS_ERRNO)),
            verifyResult: ccurl_get_long(handle.easy, CCURL_INFO_SSL_VERIFYRESULT),
            phase: !isConnected ? .connecting : state.hasHead ? .reading : .waiting,
            isRepeatable: handle.isRepeatable,
            // After a challenge, the request counts as refused: it had no effect.
            wasSent: handle.sends > 0 && !state.mayBeChallenge, isConnecting: handle.opensConnection)
    }
}

extension TransportRequest.Body {
    /// True if the body is read while it is sent.
    var isStreamed: Bool {
        switch self {
        case .none, .data: false
        case .file, .stream: true
        }
    }
}

extension ResponseDestination {
    /// True if the body is received only as fast as the destination takes it.
    var isStreamed: Bool {
        if case .memory = self { false } else { true }
    }
}
#endif
