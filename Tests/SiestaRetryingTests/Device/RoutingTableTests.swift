#if os(Linux)
import TestKit
import Testing

import SiestaRetrying
@testable import SiestaCore
@testable import SiestaNetworking

@Suite(.timeLimit(.test))
struct RoutingTableTests {
    /// A route as the kernel encodes it. The default is a route to a gateway of an Ethernet.
    struct Route: CustomTestStringConvertible, Sendable {
        var name: String
        var family: UInt8 = 2
        var prefix: (bytes: [UInt8], length: UInt8) = ([], 0)
        var table: UInt8 = 254
        var wideTable: UInt32?
        var type: UInt8 = 1
        var flags: UInt32 = 0
        var interface: Int32? = 2
        var hops: [UInt8]?
        var leadsOut = true

        var testDescription: String { name }

        var content: [UInt8] {
            var result = [family, prefix.length, 0, 0, table, 0, 0, type] + flags.bytes
            if !prefix.bytes.isEmpty { result += attribute(1, prefix.bytes) }
            if let interface { result += attribute(4, interface.bytes) }
            if let hops { result += attribute(9, hops) }
            if let wideTable { result += attribute(15, wideTable.bytes) }
            return result
        }
    }

    static let routes = [
        Route(name: "default"),
        Route(name: "default of IPv6", family: 10),
        Route(name: "network", prefix: ([10, 0, 0, 0], 8)),
        Route(name: "global network of IPv6", family: 10, prefix: ([0x20, 0x01], 16)),
        Route(name: "unique local network of IPv6", family: 10, prefix: ([0xFD, 0x00], 8)),
        Route(name: "another table", table: 0, wideTable: 1000),
        Route(name: "local table", table: 255, leadsOut: false),
        Route(name: "local table in an attribute", table: 0, wideTable: 255, leadsOut: false),
        Route(name: "local address", type: 2, leadsOut: false),
        Route(name: "broadcast", type: 3, leadsOut: false),
        Route(name: "multicast", type: 5, leadsOut: false),
        Route(name: "blackhole", type: 6, leadsOut: false),
        Route(name: "unreachable", type: 7, leadsOut: false),
        Route(name: "loopback", interface: 1, leadsOut: false),
        Route(name: "interface is down", flags: 1, leadsOut: false),
        Route(name: "no carrier", flags: 16, leadsOut: false),
        Route(name: "on link", flags: 4),
        Route(name: "link-local of IPv6", family: 10, prefix: ([0xFE, 0x80], 64), leadsOut: false),
        Route(name: "end of link-local", family: 10, prefix: ([0xFE, 0xBF], 10), leadsOut: false),
        Route(name: "beyond link-local", family: 10, prefix: ([0xFE, 0xC0], 10)),
        Route(name: "more than link-local", family: 10, prefix: ([0xFE, 0x80], 9)),
        Route(name: "multicast of IPv6", family: 10, prefix: ([0xFF, 0x00], 8), leadsOut: false),
        Route(name: "254.128.0.0/16 of IPv4", prefix: ([0xFE, 0x80, 0, 0], 16)),
        Route(name: "nexthop object", interface: nil),
        Route(name: "multipath", interface: nil, hops: hop(2) + hop(3)),
        Route(name: "one hop of two is down", interface: nil, hops: hop(2, flags: 1) + hop(3)),
        Route(name: "all hops are down", interface: nil, hops: hop(2, flags: 1) + hop(3, flags: 16), leadsOut: false),
        Route(name: "hops to loopback", interface: nil, hops: hop(1), leadsOut: false),
        Route(
            name: "hop with gateway", interface: nil, hops: hop(2, flags: 1, rest: [8, 0, 5, 0, 1, 2, 3, 4]) + hop(4)),
        Route(name: "hop of length 0", interface: nil, hops: [0, 0, 0, 0, 2, 0, 0, 0], leadsOut: false),
        Route(name: "hop that is too long", interface: nil, hops: [9, 0, 0, 0, 2, 0, 0, 0], leadsOut: false),
        Route(name: "empty interface", interface: nil, hops: [], leadsOut: false),
        Route(name: "MPLS", family: 28, leadsOut: false),
        Route(name: "multicast routing", family: 128, type: 5, leadsOut: false),
    ]

    @Test(arguments: routes) func `A route leads out of the machine or not`(route: Route) {
        var table = RoutingTable(sequence: 7)
        #expect(table.add((message(24, route.content) + message(3, [0, 0, 0, 0]))[...]) == .complete)
        #expect(table.isConnected == route.leadsOut)
    }

    @Test func `One route among many datagrams is enough`() {
        var table = RoutingTable(sequence: 7)
        let others = Self.routes.filter { !$0.leadsOut }.flatMap { message(24, $0.content) }
        #expect(table.add(others[...]) == .incomplete)
        #expect(table.add(message(24, Route(name: "").content)[...]) == .incomplete)
        #expect(table.add(others[...]) == .incomplete)
        #expect(table.add(message(3, [])[...]) == .complete)
        #expect(table.isConnected)
    }

    @Test func `A slice of a buffer is read from its own start`() {
        var table = RoutingTable(sequence: 7)
        let bytes = [1, 2, 3] + message(24, Route(name: "").content)
        #expect(table.add(bytes.dropFirst(3)) == .incomplete)
        #expect(table.isConnected)
    }

    @Test func `Messages to other requests and of unknown types are ignored`() {
        var table = RoutingTable(sequence: 7)
        let foreign = message(24, Route(name: "").content, sequence: 6) + message(3, [], sequence: 8)
        #expect(
            table.add((foreign + message(2, [0xFF], sequence: 0) + message(1, []) + message(99, [1]))[...])
                == .incomplete)
        #expect(!table.isConnected)
        #expect(table.add(message(3, [])[...]) == .complete)
    }

    @Test func `Errors, lost messages and interrupted answers are told apart`() {
        let cases: [([UInt8], RoutingTable.Progress)] = [
            (message(2, Int32(-1).bytes + [UInt8](repeating: 0, count: 16)), .failed),
            (message(2, []), .failed),
            (message(4, []), .failed),
            (message(3, Int32(-105).bytes), .failed),
            (message(3, Int32(0).bytes), .complete),
            (message(3, Int32(0).bytes, flags: 0x10), .interrupted),
            (message(24, [], flags: 0x10) + message(3, []), .interrupted),
        ]
        for (bytes, expected) in cases {
            var table = RoutingTable(sequence: 7)
            #expect(table.add(bytes[...]) == expected)
            #expect(!table.isConnected)
        }
    }

    @Test func `Impossible lengths end the reading`() {
        let valid = message(24, Route(name: "").content)
        for length in [0, 1, 15, UInt32(valid.count) + 1, 0x7FFF_FFFF, 0x8000_0000, .max - 2, .max] {
            var table = RoutingTable(sequence: 7)
            #expect(table.add((length.bytes + valid.dropFirst(4))[...]) == .failed)
            #expect(!table.isConnected)
        }
        var table = RoutingTable(sequence: 7)
        #expect(table.add([]) == .failed)
    }

    @Test func `Attributes with impossible lengths make a route invalid`() {
        let header = Route(name: "", interface: nil).content
        for length in [0, 1, 3, 9, 0x7FFF, .max] as [UInt16] {
            let attribute = length.bytes + UInt16(4).bytes + Int32(2).bytes
            #expect(RoutingTable.Route((header + attribute)[...]) == nil)
        }
        for count in 0..<header.count { #expect(RoutingTable.Route(header.prefix(count)) == nil) }
    }

    @Test func `An interface or table that is too short is ignored`() {
        let header = Route(name: "", table: 255, interface: nil).content
        let route = RoutingTable.Route((header + attribute(15, [1]) + attribute(4, [1, 0]))[...])
        #expect(route?.leadsOut == false)
    }

    @Test func `Truncated and damaged answers never crash`() {
        let answer = Self.routes.flatMap { message(24, $0.content) } + message(3, [0, 0, 0, 0])
        for count in 0...answer.count {
            var table = RoutingTable(sequence: 7)
            _ = table.add(answer.prefix(count))
        }
        var seed = TestSeed.current
        for _ in 0..<TestLevel.count(2_000, nightly: 20_000) {
            var damaged = answer
            for _ in 0..<4 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let bytes = [0, 1, 3, 0x7F, 0x80, 0xFF, UInt8(truncatingIfNeeded: seed >> 24)]
                damaged[Int(seed >> 33) % damaged.count] = bytes[Int(seed >> 43) % bytes.count]
            }
            var table = RoutingTable(sequence: 7)
            _ = table.add(damaged[...])
        }
    }
}

private func message(_ type: UInt16, _ content: [UInt8], flags: UInt16 = 0, sequence: UInt32 = 7) -> [UInt8] {
    let length = UInt32(16 + content.count)
    return padded(length.bytes + type.bytes + flags.bytes + sequence.bytes + [0, 0, 0, 0] + content)
}

private func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
    padded(UInt16(4 + value.count).bytes + type.bytes + value)
}

private func hop(_ interface: Int32, flags: UInt8 = 0, rest: [UInt8] = []) -> [UInt8] {
    UInt16(8 + rest.count).bytes + [flags, 0] + interface.bytes + rest
}

private func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
}

extension FixedWidthInteger {
    /// The bytes in the order of the machine.
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}
#endif
