#if os(Linux) || os(Android)
extension RoutingTable {
    /// One route of the kernel: a header of 12 bytes, and attributes.
    ///
    /// ```text
    /// family: 1  destination length: 1  source length: 1  TOS: 1  table: 1  protocol: 1  scope: 1  type: 1  flags: 4
    /// attributes, each padded to a multiple of 4 bytes: length: 2  type: 2  value
    /// ```
    struct Route {
        private static let headerLength = 12
        private static let unicast: UInt8 = 1
        private static let localTable: UInt32 = 255
        private static let ipv4: UInt8 = 2
        private static let ipv6: UInt8 = 10

        private let family: UInt8
        private let prefixLength: UInt8
        private let type: UInt8
        private let flags: UInt8
        private var table: UInt32
        private var destination: ArraySlice<UInt8> = []
        private var interface: Int32?
        private var hops: ArraySlice<UInt8>?

        /// Returns nil if the bytes are invalid.
        init?(_ content: ArraySlice<UInt8>) {
            guard content.count >= Self.headerLength else { return nil }
            let header = Array(content.prefix(Self.headerLength))
            (family, prefixLength, table, type) = (header[0], header[1], UInt32(header[4]), header[7])
            guard let flags = content.number(at: 8, as: UInt32.self) else { return nil }
            self.flags = UInt8(truncatingIfNeeded: flags)
            var rest = content.dropFirst(Self.headerLength)
            while !rest.isEmpty {
                guard readAttribute(from: &rest) else { return nil }
            }
        }

        /// Returns false if the bytes are invalid.
        private mutating func readAttribute(from bytes: inout ArraySlice<UInt8>) -> Bool {
            guard
                let length = bytes.number(at: 0, as: UInt16.self),
                let type = bytes.number(at: 2, as: UInt16.self),
                let value = bytes.takePadded(Int(length), headerLength: 4)
            else { return false }
            switch type & 0x3FFF {  // without the two flags
            case 1: destination = value
            case 4: interface = value.number(at: 0, as: Int32.self)
            case 9: hops = value
            case 15: table = value.number(at: 0, as: UInt32.self) ?? table
            default: break
            }
            return true
        }

        /// True if this route leads to other machines, and can be used now.
        var leadsOut: Bool {
            guard type == Self.unicast, table != Self.localTable, Self.isUsable(flags) else { return false }
            guard family == Self.ipv4 || family == Self.ipv6, !isLinkLocalOrMulticast else { return false }
            if let interface { return interface != Self.loopback }
            // A route through a nexthop object has neither an interface nor a list.
            guard let hops else { return true }
            return Self.hasUsableHop(hops)
        }

        /// True for fe80::/10 (RFC 4291, section 2.5.6) and ff00::/8 (section 2.7). Each IPv6 interface has such routes,
        /// even if there is no router.
        private var isLinkLocalOrMulticast: Bool {
            guard family == Self.ipv6, prefixLength >= 8, let first = destination.first else { return false }
            if first == 0xFF { return true }
            return prefixLength >= 10 && first == 0xFE && (destination.dropFirst().first ?? 0) & 0xC0 == 0x80
        }

        /// The loopback interface has this number in each network namespace.
        private static let loopback: Int32 = 1

        /// False if the interface is down (1), or has no carrier (16).
        private static func isUsable(_ flags: UInt8) -> Bool { flags & (1 | 16) == 0 }

        /// Returns true if one of the next hops of a multipath route can be used. A hop has 8 bytes and attributes:
        ///
        /// ```text
        /// length: 2  flags: 1  weight: 1  interface: 4  attributes
        /// ```
        private static func hasUsableHop(_ hops: ArraySlice<UInt8>) -> Bool {
            var rest = hops
            while let length = rest.number(at: 0, as: UInt16.self), let flags = rest.number(at: 2, as: UInt8.self),
                let interface = rest.number(at: 4, as: Int32.self),
                rest.takePadded(Int(length), headerLength: 8) != nil
            {
                if isUsable(flags), interface != loopback { return true }
            }
            return false
        }
    }
}
#endif
