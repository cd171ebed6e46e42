#if os(Linux) || os(Android)
/// The decision whether a routing table of Linux leads out of this machine, from the bytes of the kernel's answer to a
/// request for all routes (rtnetlink(7)).
///
/// The kernel's answer consists of datagrams. Each datagram consists of messages, and a message contains one route:
///
/// ```text
/// length: 4  type: 2  flags: 2  sequence: 4  port: 4  content, padded to a multiple of 4 bytes
/// ```
///
/// All numbers have the byte order of the machine.
struct RoutingTable: Equatable, Sendable {
    /// The state of the kernel's answer.
    enum Progress: Equatable {
        /// More datagrams follow.
        case incomplete
        /// The answer is complete.
        case complete
        /// The answer is complete, but the routes changed in the meantime. Some routes may be missing.
        case interrupted
        /// The kernel reported an error, or the bytes are invalid.
        case failed
    }

    /// The sequence number of the request. Answers to other requests are ignored.
    let sequence: UInt32
    /// True if one of the routes leads out of this machine.
    private(set) var isConnected = false
    private var wasInterrupted = false

    init(sequence: UInt32) {
        self.sequence = sequence
    }

    /// Adds the routes of the next datagram.
    mutating func add(_ datagram: ArraySlice<UInt8>) -> Progress {
        var rest = datagram
        guard !rest.isEmpty else { return .failed }
        while !rest.isEmpty {
            guard let message = Message(takenFrom: &rest) else { return .failed }
            if message.sequence == sequence, let end = add(message) { return end }
        }
        return .incomplete
    }

    /// Returns nil if further messages follow.
    private mutating func add(_ message: Message) -> Progress? {
        if message.flags & Message.interrupted != 0 { wasInterrupted = true }
        switch message.type {
        case Message.done:
            // The content is a negative error number, or zero.
            if let code = message.content.number(at: 0, as: Int32.self), code < 0 { return .failed }
            return wasInterrupted ? .interrupted : .complete
        case Message.error, Message.overrun:
            return .failed
        case Message.newRoute:
            if Route(message.content)?.leadsOut == true { isConnected = true }
            return nil
        default:
            return nil
        }
    }

    private struct Message {
        static let error: UInt16 = 2
        static let done: UInt16 = 3
        static let overrun: UInt16 = 4
        static let newRoute: UInt16 = 24
        static let interrupted: UInt16 = 0x10

        let type: UInt16
        let flags: UInt16
        let sequence: UInt32
        let content: ArraySlice<UInt8>

        init?(takenFrom bytes: inout ArraySlice<UInt8>) {
            guard
                let length = bytes.number(at: 0, as: UInt32.self),
                let type = bytes.number(at: 4, as: UInt16.self),
                let flags = bytes.number(at: 6, as: UInt16.self),
                let sequence = bytes.number(at: 8, as: UInt32.self),
                let message = bytes.takePadded(Int(length), headerLength: 16)
            else { return nil }
            (self.type, self.flags, self.sequence, content) = (type, flags, sequence, message)
        }
    }
}

extension ArraySlice<UInt8> {
    /// Returns the number at an offset; nil if the bytes end before.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number? {
        guard offset <= count - MemoryLayout<Number>.size else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }

    /// Removes an element that is `length` bytes long, with the padding to a multiple of 4 bytes. Returns its bytes
    /// after its header; nil if the length is impossible.
    mutating func takePadded(_ length: Int, headerLength: Int) -> ArraySlice<UInt8>? {
        guard (headerLength...Swift.max(headerLength, count)).contains(length), length <= count else { return nil }
        let content = prefix(length).dropFirst(headerLength)
        removeFirst(Swift.min(count, (length + 3) & ~3))
        return content
    }
}
#endif
