import Dispatch
import Foundation
import Isolation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// The work of the server's thread: it waits for descriptors, and carries out the decisions of ``ClientConnection`` and
/// ``Admission``. Only this thread uses the object.
final class ServerLoop {
    private struct Client {
        let socket: ServerSocket
        var connection: ClientConnection
        /// The number of the last event that the stream contains.
        var lastEvent = 0
        /// True after the client has ended its side of the stream.
        var hasEnded = false
    }

    private let listener: ServerSocket
    private let mailbox: Locked<InspectorServer.Mailbox>
    private let pipe: WakePipe
    private let admission: Admission
    private let limits: ServerLimits
    private let handler: InspectorServer.Handler
    private var clients: [Int: Client] = [:]
    private var nextNumber = 0
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var lastHeartbeat: TimeInterval = 0
    /// The time before which the listener is not asked, because the process has no descriptor left.
    private var acceptsAfter: TimeInterval = 0

    init(
        listener: ServerSocket, mailbox: Locked<InspectorServer.Mailbox>, pipe: WakePipe, admission: Admission,
        limits: ServerLimits, handler: @escaping InspectorServer.Handler
    ) {
        (self.listener, self.mailbox, self.pipe) = (listener, mailbox, pipe)
        (self.admission, self.limits, self.handler) = (admission, limits, handler)
    }

    private var now: TimeInterval { TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    func run() {
        while readMailbox() {
            expire(at: now)
            wait()
        }
        for client in clients.values { client.socket.close() }
        listener.close()
    }

    // MARK: Waiting

    private func wait() {
        let numbers = Array(clients.keys)
        let isAccepting = acceptsAfter <= now
        var events = [pollfd(fd: pipe.descriptor, events: Int16(POLLIN), revents: 0)]
        events.append(pollfd(fd: isAccepting ? listener.number : -1, events: Int16(POLLIN), revents: 0))
        for number in numbers { events.append(interest(of: clients[number])) }
        guard poll(&events, nfds_t(events.count), timeout()) > 0 else { return }
        if events[0].revents != 0 { pipe.clear() }
        for (number, event) in zip(numbers, events.dropFirst(2)) where event.revents != 0 {
            if event.revents & ~Int16(POLLOUT) != 0 { read(number) }
            if event.revents & Int16(POLLOUT) != 0 { write(number) }
        }
        if events[1].revents != 0 { acceptAll() }
    }

    private func interest(of client: Client?) -> pollfd {
        guard let client else { return pollfd(fd: -1, events: 0, revents: 0) }
        var events: Int16 = client.hasEnded ? 0 : Int16(POLLIN)
        if client.connection.nextOutput != nil { events |= Int16(POLLOUT) }
        // A client that has ended its side would be ready all the time.
        return pollfd(fd: events == 0 ? -1 : client.socket.number, events: events, revents: 0)
    }

    private func timeout() -> CInt {
        let deadline = clients.values.map(\.connection.deadline).min() ?? .infinity
        let end = min(deadline, lastHeartbeat + limits.heartbeat, acceptsAfter > now ? acceptsAfter : .infinity)
        return CInt(min(max(0, (end - now) * 1000).rounded(.up), 60_000))
    }

    private func expire(at now: TimeInterval) {
        for (number, client) in clients where client.connection.deadline <= now { close(number) }
        guard lastHeartbeat + limits.heartbeat <= now else { return }
        lastHeartbeat = now
        for (number, client) in clients where client.connection.isStreaming { stream(Array(":\n\n".utf8), to: number) }
    }

    // MARK: Messages from other threads

    /// Takes the messages. Returns false if the server must stop.
    private func readMailbox() -> Bool {
        let (isStopped, replies, events) = mailbox.withLock { box in
            defer { (box.replies, box.events) = ([], []) }
            return (box.isStopped, box.replies, box.events)
        }
        guard !isStopped else { return false }
        for (number, reply) in replies { send(reply, to: number) }
        for (number, client) in clients where client.connection.isStreaming {
            for event in events where event.id > client.lastEvent { stream(event.bytes, to: number) }
        }
        return true
    }

    // MARK: Connections

    private func acceptAll() {
        var count = 0
        while count < 256, let socket = listener.accepted() {
            count += 1
            guard makeRoom() else {
                socket.close()
                continue
            }
            nextNumber += 1
            clients[nextNumber] = Client(socket: socket, connection: ClientConnection(limits, at: now))
            read(nextNumber)  // Most requests arrive together with their connection.
        }
        if count == 0 { acceptsAfter = now + 0.1 }
    }

    /// Closes the oldest connection without a valid request if there are too many. Returns false if there is none.
    private func makeRoom() -> Bool {
        guard clients.count >= limits.connections else { return true }
        guard let oldest = clients.filter({ !$0.value.connection.isTrusted }).keys.min() else { return false }
        close(oldest)
        return true
    }

    private func close(_ number: Int) {
        guard let client = clients.removeValue(forKey: number) else { return }
        client.socket.close()
        if client.connection.isStreaming { mailbox.withLock { $0.readers -= 1 } }
    }

    private func read(_ number: Int) {
        guard let socket = clients[number]?.socket else { return }
        switch socket.receive(&buffer) {
        case .later: break
        case .ended: end(number)
        case .bytes(let count):
            switch clients[number]?.connection.receive(buffer[..<count]) {
            case .request(let request): route(request, from: number)
            case .refuse(let status): send(HTTPReply(status: status), to: number)
            case .wait, nil: break
            }
        }
    }

    /// The client has ended its side. Only a client that waits for its response may still read.
    private func end(_ number: Int) {
        guard let connection = clients[number]?.connection, connection.isAwaitingReply else { return close(number) }
        clients[number]?.hasEnded = true
    }

    private func route(_ request: HTTPRequest, from number: Int) {
        switch admission.decide(request.head) {
        case .refuse(let status): send(HTTPReply(status: status), to: number)
        case .accept(let route):
            clients[number]?.connection.isTrusted = true
            guard route != .events else { return beginStream(request.head, to: number) }
            Task { [mailbox, pipe, handler] in
                let reply = await handler(route, request)
                mailbox.withLock { $0.replies.append((number, reply)) }
                pipe.wake()
            }
        }
    }

    private func beginStream(_ head: HTTPRequestHead, to number: Int) {
        let text = head["last-event-id"] ?? head.query.split(separator: "=").last.map(String.init) ?? ""
        clients[number]?.connection.beginStream(at: now)
        let (missed, last) = mailbox.withLock { box in
            box.readers += 1
            return (Int(text).flatMap { box.history.events(after: $0) }, box.history.last)
        }
        clients[number]?.lastEvent = last
        for event in missed ?? [EventHistory.resync] { stream(event, to: number) }
        write(number)
    }

    private func stream(_ event: [UInt8], to number: Int) {
        guard clients[number]?.connection.stream(event, at: now) == true else { return close(number) }
        write(number)
    }

    private func send(_ reply: HTTPReply, to number: Int) {
        guard clients[number] != nil else { return }
        clients[number]?.connection.reply(reply, at: now)
        write(number)
    }

    private func write(_ number: Int) {
        while let client = clients[number], let bytes = client.connection.nextOutput {
            switch client.socket.send(bytes) {
            case .later: return
            case .ended: return close(number)
            case .bytes(let count): clients[number]?.connection.sent(count, at: now)
            }
        }
        guard let client = clients[number], client.connection.hasReplied else { return }
        guard !client.hasEnded else { return close(number) }
        client.socket.finishSending()
        clients[number]?.connection.drain(at: now)
    }
}
