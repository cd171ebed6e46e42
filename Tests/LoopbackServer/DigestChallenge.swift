import Foundation

/// The server side of Digest access authentication (RFC 7616, with `qop=auth`), for one user.
package struct DigestChallenge: Sendable {
    /// The hash functions that a server may ask for.
    package enum Algorithm: String, Sendable, CaseIterable {
        case md5 = "MD5"
        case sha256 = "SHA-256"
    }

    private let user: String
    private let password: String
    private let algorithm: Algorithm
    private let realm = "test realm"

    package init(user: String, password: String, algorithm: Algorithm) {
        (self.user, self.password, self.algorithm) = (user, password, algorithm)
    }

    /// Returns the header line of a challenge.
    package func line(nonce: String, isStale: Bool = false) -> String {
        "WWW-Authenticate: Digest realm=\"\(realm)\", qop=\"auth\", algorithm=\(algorithm.rawValue), nonce=\"\(nonce)\""
            + (isStale ? ", stale=true" : "")
    }

    /// Returns true if a request proves that its sender knows the password, with this nonce.
    package func isAnswered(by request: ReceivedRequest, nonce: String) -> Bool {
        guard let field = request.header("Authorization"), field.hasPrefix("Digest ") else { return false }
        let values = Self.parameters(of: String(field.dropFirst(7)))
        guard values["username"] == user, values["nonce"] == nonce, values["uri"] == request.target,
            let count = values["nc"], let own = values["cnonce"], values["qop"] == "auth"
        else { return false }
        let secret = hash("\(user):\(realm):\(password)")
        let target = hash("\(request.method):\(request.target)")
        return values["response"] == hash("\(secret):\(nonce):\(count):\(own):auth:\(target)")
    }

    private static func parameters(of text: String) -> [String: String] {
        var result: [String: String] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if pair.count == 2 { result[pair[0]] = pair[1].trimmingCharacters(in: ["\""]) }
        }
        return result
    }

    private func hash(_ text: String) -> String {
        let digest =
            switch algorithm {
            case .md5: Hash.md5(Array(text.utf8))
            case .sha256: Hash.sha256(Array(text.utf8))
            }
        return digest.map { String(format: "%02x", Int($0)) }.joined()
    }
}

/// The hash functions of ``DigestChallenge``, as their specifications describe them (RFC 1321, RFC 6234).
private enum Hash {
    static func md5(_ message: [UInt8]) -> [UInt8] {
        let shifts = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for block in blocks(of: message, isBigEndian: false) {
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for step in 0..<64 {
                let (mixed, word): (UInt32, Int) =
                    switch step / 16 {
                    case 0: (b & c | ~b & d, step)
                    case 1: (d & b | ~d & c, (5 * step + 1) % 16)
                    case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                    default: (c ^ (b | ~d), 7 * step % 16)
                    }
                let constant = UInt32(abs(sin(Double(step + 1))) * 4_294_967_296)
                let sum = a &+ mixed &+ constant &+ block[word]
                (a, d, c) = (d, c, b)
                b = b &+ rotated(sum, left: shifts[step / 16][step % 4])
            }
            for (index, value) in [a, b, c, d].enumerated() { state[index] &+= value }
        }
        return state.flatMap { bytes(of: $0.littleEndian) }
    }

    static func sha256(_ message: [UInt8]) -> [UInt8] {
        var state = primes(8).map { fraction(of: Double($0).squareRoot()) }
        let constants = primes(64).map { fraction(of: cbrt(Double($0))) }
        for block in blocks(of: message, isBigEndian: true) {
            var words = block
            for index in 16..<64 {
                let (early, late) = (words[index - 15], words[index - 2])
                let first = rotated(early, left: 25) ^ rotated(early, left: 14) ^ early >> 3
                let second = rotated(late, left: 15) ^ rotated(late, left: 13) ^ late >> 10
                words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
            }
            var now = state
            for index in 0..<64 {
                let (a, e) = (now[0], now[4])
                let first = rotated(e, left: 26) ^ rotated(e, left: 21) ^ rotated(e, left: 7)
                let sum = now[7] &+ first &+ (e & now[5] ^ ~e & now[6]) &+ constants[index] &+ words[index]
                let second = rotated(a, left: 30) ^ rotated(a, left: 19) ^ rotated(a, left: 10)
                let majority = a & now[1] ^ a & now[2] ^ now[1] & now[2]
                now = [sum &+ second &+ majority, a, now[1], now[2], now[3] &+ sum, e, now[5], now[6]]
            }
            for index in 0..<8 { state[index] &+= now[index] }
        }
        return state.flatMap { bytes(of: $0.bigEndian) }
    }

    /// Returns the blocks of a padded message, as words.
    private static func blocks(of message: [UInt8], isBigEndian: Bool) -> [[UInt32]] {
        let length = UInt64(message.count * 8)
        let padded = message + [0x80] + [UInt8](repeating: 0, count: (119 - message.count % 64) % 64)
        let all = padded + bytes(of: isBigEndian ? length.bigEndian : length.littleEndian)
        return stride(from: 0, to: all.count, by: 64).map { start in
            (0..<16).map { word in
                let bytes = all[(start + 4 * word)..<(start + 4 * word + 4)]
                return (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
            }
        }
    }

    private static func primes(_ count: Int) -> [Int] {
        Array((2...311).lazy.filter { number in !(2..<number).contains { number % $0 == 0 } }.prefix(count))
    }

    private static func fraction(of number: Double) -> UInt32 {
        UInt32((number - number.rounded(.down)) * 4_294_967_296)
    }

    private static func rotated(_ word: UInt32, left count: Int) -> UInt32 { word << count | word >> (32 - count) }

    private static func bytes(of value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
}
