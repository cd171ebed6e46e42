#if os(Linux) || os(Android)
import CCurl
import Foundation
import HTTPRules

/// An easy handle of libcurl and its state. It is used for one request after another. Only the engine's thread may use
/// it.
final class EasyHandle {
    let easy: OpaquePointer

    /// The current exchange. Nil in the pool, and after an exchange has ended during its name lookup.
    var exchange: CurlExchange?

    /// The buffer for response bodies in memory.
    var buffer: BodyBuffer

    /// True during a name lookup. Removing the handle would wait for the end of the lookup.
    var isResolving = false

    /// The socket for which libcurl has last waited.
    var socket: Int32 = -1

    /// True if libcurl is about to use a new connection.
    var opensConnection = false

    /// The local port of the request's connection; 0 for a socket of the Unix domain.
    var localPort: Int32 = 0

    /// True if the request uses HTTP/2, and may therefore share its connection with other requests at the same time.
    var isMultiplexed = false

    /// True if the request waits until it is known whether a connection can be shared. libcurl keeps this setting for
    /// later requests.
    private(set) var waitsForSharing = false {
        didSet {
            if waitsForSharing != oldValue { _ = ccurl_set_long(easy, CCURL_OPT_PIPEWAIT, waitsForSharing ? 1 : 0) }
        }
    }

    /// The number of times that libcurl has begun to send the request.
    var sends = 0

    /// True if the response was received.
    var hasSucceeded = false

    /// True if the request may be sent a second time.
    private(set) var isRepeatable = true

    /// True if the request was not sent because unexpected bytes had arrived on the connection.
    var isStale = false

    /// True if the handle has the login of a request. Such a handle is not used again.
    private(set) var hasLogin = false

    /// True if libcurl has been told to stop receiving for a time.
    var isPaused = false

    /// The cookies that the handle uses.
    var jar: CookieShare?

    /// The lane in which libcurl carries out the request; nil in the pool.
    private var lane: Lane?

    let loop: EventLoop
    private let settings: EasySettings
    private let errorText: UnsafeMutablePointer<CChar>
    private var lines: UnsafeMutablePointer<ccurl_slist>?
    private var lastLine: UnsafeMutablePointer<ccurl_slist>?
    private(set) var isSecure = false
    private var isModified = false

    /// Creates a handle. Returns nil if there is no memory, or if the installed libcurl does not support a required
    /// setting.
    init?(settings: EasySettings, loop: EventLoop) {
        guard let easy = ccurl_easy_make() else { return nil }
        self.easy = easy
        self.settings = settings
        self.loop = loop
        buffer = BodyBuffer(budget: loop.budget)
        errorText = .allocate(capacity: CCURL_ERROR_SIZE)
        guard reset() else { return nil }
    }

    deinit {
        ccurl_easy_cleanup(easy)
        ccurl_slist_free(lines)
        errorText.deallocate()
    }

    /// libcurl's message about the failure of the exchange; nil if there is no message.
    var errorMessage: String? {
        errorText[0] == 0 ? nil : String(cString: errorText)
    }

    /// Passes the handle to libcurl. Returns false if libcurl rejects it.
    func enter(_ lane: Lane) -> Bool {
        self.lane = lane
        lane.count += 1
        return ccurl_multi_add(lane.multi, easy) == 0
    }

    /// Takes the handle from libcurl, and passes it to libcurl again. Returns false if libcurl rejects it.
    func enterAgain(after change: (EasyHandle) -> Void) -> Bool {
        guard let lane else { return false }
        ccurl_multi_remove(lane.multi, easy)
        change(self)
        return ccurl_multi_add(lane.multi, easy) == 0
    }

    /// Takes the handle from libcurl.
    func leaveLane() {
        guard let lane else { return }
        ccurl_multi_remove(lane.multi, easy)
        lane.count -= 1
        self.lane = nil
    }

    /// Configures the handle for a request.
    ///
    /// - Parameter avoidsHTTP2: True if the request must not share a connection, where the transport can choose.
    func configure(_ plan: RequestPlan, uploadLength: Int64?, isStreamed: Bool, avoidsHTTP2: Bool) {
        errorText[0] = 0
        isResolving = false
        isPaused = false
        socket = -1
        opensConnection = false
        isMultiplexed = false
        sends = 0
        hasSucceeded = false
        isRepeatable = plan.isRepeatable
        isStale = false
        _ = plan.url.withCString { ccurl_set_text(easy, CCURL_OPT_URL, $0) }  // not copied
        isSecure = plan.isSecure
        setContent(plan, uploadLength)
        if plan.method != "GET" || isModified { setMethod(plan) }
        setLines(plan)
        setSharing(plan, isStreamed || avoidsHTTP2)
        // libcurl reads up to a hundred such buffers before it can be paused.
        if isStreamed { set(CCURL_OPT_BUFFERSIZE, 16 << 10) }
        if !isRepeatable, !CurlLibrary.asksBeforeSending { useNewConnection() }
        // A server may send its final response without `100 Continue`, and still wait for the body. libcurl does not
        // send the body then, and the server would read the next request as the body.
        if plan.headers.contains("Expect") { set(CCURL_OPT_FORBID_REUSE, 1) }
    }

    /// Makes libcurl open a connection for this request. Without this call, the request waits for another connection to
    /// the host that is being opened and may be shared.
    func stopWaitingForSharing() {
        waitsForSharing = false
    }

    func useNewConnection() {
        isModified = true
        set(CCURL_OPT_FRESH_CONNECT, 1)
    }

    /// Makes libcurl sign in if the server asks for it.
    ///
    /// If Digest were the only scheme, libcurl would begin each upload with a request without its body. A server that
    /// does not ask for a log-in would carry out this request. libcurl never uses Bearer without a token.
    func use(_ login: TransportRequest.Login) {
        hasLogin = true
        set(CCURL_OPT_HTTPAUTH, CCURL_AUTH_DIGEST | CCURL_AUTH_BEARER)
        _ = ccurl_set_text(easy, CCURL_OPT_USERNAME, login.user)
        _ = ccurl_set_text(easy, CCURL_OPT_PASSWORD, login.password)
        guard settings.options.httpVersion == .http2OverTLS else { return }
        set(CCURL_OPT_HTTP_VERSION, CCURL_HTTP_VERSION_1_1)
        waitsForSharing = false
    }

    /// Makes libcurl answer the challenge that it has received in its next request.
    func answerKnownChallenge() {
        set(CCURL_OPT_HTTPAUTH, CCURL_AUTH_DIGEST)
    }

    /// Removes the request from the handle.
    ///
    /// libcurl counts how often it opens a connection again for a handle. It counts over all requests until a reset,
    /// and fails after the fifth time.
    func clean() {
        buffer.clear()
        if isModified || !hasSucceeded || sends != 1 {
            use(nil)
            ccurl_easy_reset(easy)
            _ = reset()
        } else if lines != nil {
            _ = ccurl_set_list(easy, CCURL_OPT_HTTPHEADER, nil)
        }
        ccurl_slist_free(lines)
        (lines, lastLine) = (nil, nil)
    }

    /// Releases the exchange during its name lookup. After the lookup, no socket is opened, and libcurl reports the
    /// end.
    func abandonLookup() {
        exchange = nil
        allowConnecting(milliseconds: .max)
        _ = ccurl_set_long(easy, CCURL_OPT_QUICK_EXIT, 1)
    }

    /// Sets libcurl's own connect time-out, which counts from the start of the request.
    func allowConnecting(milliseconds: UInt64) {
        set(CCURL_OPT_CONNECTTIMEOUT_MS, Int(min(milliseconds, 1_000_000_000)))
    }

    private func reset() -> Bool {
        isModified = false
        waitsForSharing = false
        let data = Unmanaged.passUnretained(self).toOpaque()
        _ = ccurl_set_data(easy, CCURL_OPT_ERRORBUFFER, errorText)
        install(callbacksWith: data)
        return settings.apply(to: easy)
    }

    private func setSharing(_ plan: RequestPlan, _ avoidsHTTP2: Bool) {
        let version = settings.options.httpVersion
        let isLongUpload = if case .upload = plan.content { true } else { false }
        let needsHTTP1 = version == .http2OverTLS && (avoidsHTTP2 || isLongUpload || !isRepeatable)
        let mayShare = version.mayMultiplex(isSecure: isSecure)
        if mayShare, needsHTTP1 { set(CCURL_OPT_HTTP_VERSION, CCURL_HTTP_VERSION_1_1) }
        // Without TLS, libcurl would delay the other requests until the first response.
        waitsForSharing = isSecure && mayShare && !needsHTTP1
    }

    private func setMethod(_ plan: RequestPlan) {
        if plan.method == "HEAD" {
            set(CCURL_OPT_NOBODY, 1)
        } else {
            isModified = true
            _ = ccurl_set_text(easy, CCURL_OPT_CUSTOMREQUEST, plan.method)
        }
    }

    private func setContent(_ plan: RequestPlan, _ uploadLength: Int64?) {
        switch plan.content {
        case .none:
            break
        case .small(let data):
            set(CCURL_OPT_POST, 1)
            _ = ccurl_set_offset(easy, CCURL_OPT_POSTFIELDSIZE_LARGE, Int64(data.count))
            data.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else {
                    return _ = ccurl_set_text(easy, CCURL_OPT_COPYPOSTFIELDS, "")
                }
                _ = ccurl_set_bytes(easy, CCURL_OPT_COPYPOSTFIELDS, start)
            }
        case .upload:
            set(CCURL_OPT_UPLOAD, 1)
            _ = ccurl_set_offset(easy, CCURL_OPT_INFILESIZE_LARGE, uploadLength ?? -1)
        }
    }

    /// Passes the header lines to libcurl. In libcurl's syntax, a name with a semicolon means an empty value, and a
    /// name with only a colon removes the field.
    private func setLines(_ plan: RequestPlan) {
        guard !plan.headers.isEmpty || !plan.suppressed.isEmpty else { return }
        var line: [CChar] = []
        let headers = plan.headers.fields
        let addsCookies = (jar != nil || settings.options.keepsCookies) && headers.contains("Cookie")
        if addsCookies {  // libcurl would send its own cookies in a second field (RFC 6265, section 5.4)
            isModified = true
            _ = ccurl_set_text(easy, CCURL_OPT_COOKIE, headers.values(of: "Cookie").joined(separator: "; "))
        }
        for index in headers.indices where !addsCookies || !headers.isField(index, named: "Cookie") {
            let value = headers.bytes[headers.valueRange(at: index)]
            line.removeAll(keepingCapacity: true)
            line.append(contentsOf: headers.bytes[headers.nameRange(at: index)].lazy.map { CChar(bitPattern: $0) })
            line.append(CChar(bitPattern: UInt8(ascii: value.isEmpty ? ";" : ":")))
            line.append(contentsOf: value.lazy.map { CChar(bitPattern: $0) })
            line.append(0)
            append(line)
        }
        for name in plan.suppressed {
            append((name + ":").utf8CString.map { $0 })
        }
        _ = ccurl_set_list(easy, CCURL_OPT_HTTPHEADER, lines)
    }

    /// Appends a line after the last line. Otherwise libcurl would search for the end of the list each time.
    private func append(_ line: [CChar]) {
        guard let list = ccurl_slist_append(lastLine, line) else { return }
        lines = lines ?? list
        lastLine = list.pointee.next ?? list
    }

    private func set(_ option: ccurl_option, _ value: Int) {
        isModified = true
        _ = ccurl_set_long(easy, option, value)
    }
}
#endif
