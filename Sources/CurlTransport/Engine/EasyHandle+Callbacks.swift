#if os(Linux) || os(Android)
import CCurl
import Foundation

extension EasyHandle {
    /// Sets the functions below as callbacks of libcurl. Their data is this handle.
    func install(callbacksWith data: UnsafeMutableRawPointer) {
        for option in [
            CCURL_OPT_PRIVATE, CCURL_OPT_WRITEDATA, CCURL_OPT_HEADERDATA, CCURL_OPT_READDATA, CCURL_OPT_SEEKDATA,
            CCURL_OPT_OPENSOCKETDATA, CCURL_OPT_RESOLVER_START_DATA, CCURL_OPT_PREREQDATA,
        ] {
            _ = ccurl_set_data(easy, option, data)
        }
        _ = ccurl_set_io(easy, CCURL_OPT_HEADERFUNCTION, receiveHeaderLine)
        _ = ccurl_set_io(easy, CCURL_OPT_WRITEFUNCTION, receiveBody)
        _ = ccurl_set_io(easy, CCURL_OPT_READFUNCTION, provideBody)
        _ = ccurl_set_seek(easy, rewindBody)
        _ = ccurl_set_resolver_start(easy, startResolving)
        _ = ccurl_set_prerequest(easy, beginSending)
        _ = ccurl_set_open_socket(easy, openSocket)
        _ = ccurl_set_data(easy, CCURL_OPT_CLOSESOCKETDATA, Unmanaged.passUnretained(loop).toOpaque())
        _ = ccurl_set_close_socket(easy, closeSocket)
    }

    /// Returns the handle for the pointer that libcurl passes to callbacks.
    static func from(_ data: UnsafeMutableRawPointer?) -> EasyHandle? {
        data.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// To end the exchange, a callback for bytes returns a smaller number of bytes than it received.
private let receiveHeaderLine: ccurl_io_callback = { bytes, size, count, data in
    guard let data else { return 0 }
    return Unmanaged<EasyHandle>.fromOpaque(data)._withUnsafeGuaranteedRef { handle in
        guard let exchange = handle.exchange else { return 0 }
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        if handle.jar != nil || handle.keepsCookies, EasyHandle.setsCookie(line) { handle.noteCookie(of: exchange) }
        return exchange.receive(headerLine: line, through: handle) ? line.count : 0
    }
}

private let receiveBody: ccurl_io_callback = { bytes, size, count, data in
    guard let handle = EasyHandle.from(data), let exchange = handle.exchange else { return 0 }
    if exchange.mustPause(handle) { return CCURL_WRITEFUNC_PAUSE }
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return exchange.receive(piece, through: handle) ? piece.count : 0
}

private let provideBody: ccurl_io_callback = { bytes, size, count, data in
    guard let handle = EasyHandle.from(data), let exchange = handle.exchange else { return CCURL_READFUNC_ABORT }
    return exchange.provide(UnsafeMutableRawBufferPointer(start: bytes, count: size * count), now: handle.loop.now)
}

private let rewindBody: ccurl_seek_callback = { data, offset, origin in
    guard let exchange = EasyHandle.from(data)?.exchange, origin == SEEK_SET, exchange.seek(to: offset) else {
        return Int32(CCURL_SEEKFUNC_FAIL)
    }
    return Int32(CCURL_SEEKFUNC_OK)
}

private let startResolving: ccurl_resolver_start_callback = { _, _, data in
    guard let handle = EasyHandle.from(data), let exchange = handle.exchange else { return 1 }
    handle.isResolving = true
    exchange.startConnecting(through: handle)
    return 0
}

/// Called before libcurl sends the first byte of a request, each time that it sends the request.
private let beginSending: ccurl_prerequest_callback = { data, _, _, _, port in
    guard let handle = EasyHandle.from(data), let exchange = handle.exchange,
        exchange.maySend(through: handle, localPort: port)
    else { return Int32(CCURL_PREREQFUNC_ABORT) }
    return Int32(CCURL_PREREQFUNC_OK)
}

/// Opens no socket if the exchange has ended during its name lookup.
private let openSocket: ccurl_open_socket_callback = { data, _, address in
    guard let handle = EasyHandle.from(data), let exchange = handle.exchange else { return -1 }
    handle.isResolving = false
    exchange.startConnecting(through: handle)
    let socket = ccurl_socket_make(address)
    handle.loop.sockets.note(socket, isHTTP1: !handle.loop.options.httpVersion.mayMultiplex(isSecure: handle.isSecure))
    handle.socket = socket
    handle.opensConnection = true
    return socket
}

/// Closes a socket of the loop. The loop, not the handle, owns the socket, because connections outlive the handles that
/// open them.
private let closeSocket: ccurl_close_socket_callback = { data, socket in
    EventLoop.from(data)?.sockets.forget(socket)
    return close(socket)
}
#endif
