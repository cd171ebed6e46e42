#if os(Linux) || os(Android)
/// Hashes and comparisons of keys.
enum ByteHash {
    /// A secret of the process, so that nobody can choose keys with equal hashes.
    private static let seed: UInt64 = .random(in: .min ... .max) | 1

    /// Returns a hash of bytes.
    @inline(__always)
    static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        let raw = bytes.bytes
        let count = bytes.count
        var hash = seed ^ UInt64(count)
        var index = 0
        while index &+ 8 <= count {
            hash = mix(hash ^ raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self), 0x9E37_79B9_7F4A_7C15)
            index &+= 8
        }
        if index < count {
            var tail: UInt64 = 0
            if count >= 8 {
                tail = raw.unsafeLoadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            } else {
                for position in index..<count { tail = tail << 8 | UInt64(bytes[position]) }
            }
            hash = mix(hash ^ tail, 0xD6E8_FEB8_6659_FD93)
        }
        return hash ^ hash >> 32
    }

    /// Returns true if no byte is above 0x7F.
    @inline(__always)
    static func isASCII(_ bytes: Span<UInt8>) -> Bool {
        let (raw, count) = (bytes.bytes, bytes.count)
        var seen: UInt64 = 0
        var index = 0
        while index &+ 8 <= count {
            seen |= load(raw, index)
            index &+= 8
        }
        if count >= 8 {
            seen |= load(raw, count &- 8)
        } else {
            while index < count {
                seen |= UInt64(bytes[index])
                index &+= 1
            }
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }

    /// Returns true if `count` bytes are equal. The loads are checked; only their type is not.
    @inline(__always)
    static func areEqual(_ first: Span<UInt8>, at i: Int, _ second: Span<UInt8>, at j: Int, count: Int) -> Bool {
        let (a, b) = (first.bytes, second.bytes)
        if count >= 8 {
            var index = 0
            while index &+ 8 <= count {
                if load(a, i &+ index) != load(b, j &+ index) { return false }
                index &+= 8
            }
            return load(a, i &+ count &- 8) == load(b, j &+ count &- 8)
        }
        if count >= 4 {
            let end = count &- 4
            return load32(a, i) == load32(b, j) && load32(a, i &+ end) == load32(b, j &+ end)
        }
        var index = 0
        while index < count {
            if first[i &+ index] != second[j &+ index] { return false }
            index &+= 1
        }
        return true
    }

    @inline(__always)
    private static func load(_ span: RawSpan, _ offset: Int) -> UInt64 {
        span.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    @inline(__always)
    private static func load32(_ span: RawSpan, _ offset: Int) -> UInt32 {
        span.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }

    @inline(__always)
    private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
#endif
