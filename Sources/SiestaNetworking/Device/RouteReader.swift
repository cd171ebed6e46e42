#if os(Linux) || os(Android)
/// Reads the routes of the kernel, in several parts if there are many.
struct RouteReader: Sendable {
    /// The number of times that the routes are read again because they changed during the reading.
    private static let maximumRepetitions = 3
    /// The kernel makes no longer datagrams.
    private static let bufferSize = 32 << 10

    private let sockets: RouteSockets
    private var sequence: UInt32 = 0
    private var repetitions = 0
    /// The routes of an answer that is not complete.
    private var table: RoutingTable?

    init(_ sockets: RouteSockets) {
        self.sockets = sockets
    }

    /// The result of reading: true if a route leads out of this machine; also true if the routes cannot be read, because
    /// requests may succeed then.
    ///
    /// - Parameter maximum: the number of datagrams to read. If the answer has more datagrams, returns nil. The next
    ///   call continues.
    mutating func read(maximum: Int = .max) -> Bool? {
        var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
        for _ in 0..<maximum {
            guard var table = table ?? requestedTable(), let datagram = sockets.nextAnswer(in: &buffer) else {
                return end(true)
            }
            let progress = table.add(datagram)
            self.table = table
            switch progress {
            case .incomplete: continue
            case .complete: return end(table.isConnected)
            case .failed: return end(true)
            case .interrupted:
                if table.isConnected || repetitions == Self.maximumRepetitions { return end(table.isConnected) }
                repetitions += 1
                self.table = nil
            }
        }
        return nil
    }

    private mutating func requestedTable() -> RoutingTable? {
        sequence &+= 1
        return sockets.request(sequence: sequence) ? RoutingTable(sequence: sequence) : nil
    }

    private mutating func end(_ result: Bool) -> Bool {
        (table, repetitions) = (nil, 0)
        return result
    }
}
#endif
