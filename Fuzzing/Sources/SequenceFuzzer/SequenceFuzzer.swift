import Foundation
import FuzzDriver

@testable import SiestaTransfers

@main
struct SequenceFuzzer {
    static func main() {
        runFuzzer { fuzz($0, $1) }
    }
}

/// Takes the first byte of an input for the sizes of pieces, and the other bytes for a response that contains several
/// JSON values or parts. The division into pieces does not change the result.
private func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    guard let first = input.first else { return 0 }
    let pieces = Pieces(Data(input.dropFirst()), seed: first)
    checkLines(pieces)
    checkSequence(pieces)
    checkMultipart(pieces)
    checkParts(pieces.whole, pieces)
    return 0
}

/// Bytes, and the pieces in which they arrive.
private struct Pieces {
    let whole: Data
    let seed: UInt8

    init(_ whole: Data, seed: UInt8) {
        (self.whole, self.seed) = (whole, seed)
    }

    /// The pieces have different sizes, from 1 byte to 16 bytes.
    var pieces: [Data] {
        var (pieces, start, state) = ([Data](), whole.startIndex, UInt32(seed))
        while start < whole.endIndex {
            state = state &* 1_664_525 &+ 1_013_904_223
            let end = min(start + 1 + Int(state >> 24) % (1 + Int(seed % 16)), whole.endIndex)
            pieces.append(whole[start..<end])
            start = end
        }
        return pieces
    }
}

private let limit = 64

private func texts(_ pieces: [Data], _ format: JSONStreamFormat) -> [JSONTextSplitter.Text] {
    var splitter = JSONTextSplitter(format, limit: limit)
    return pieces.flatMap { splitter.add($0) } + (splitter.finish().map { [$0] } ?? [])
}

private func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

/// Each line that is not empty is a text. Written once more, for the whole response.
private func checkLines(_ pieces: Pieces) {
    let found = texts(pieces.pieces, .newlineDelimited)
    var lines = pieces.whole.split(separator: 0x0A, omittingEmptySubsequences: false).map { Data($0) }
    if lines[0].starts(with: [0xEF, 0xBB, 0xBF]), lines[0].count <= limit { lines[0] = lines[0].dropFirst(3) }
    let expected = lines.enumerated().compactMap { index, line -> JSONTextSplitter.Text? in
        if line.count > limit { return .init(number: index + 1, content: .failure(.tooLong)) }
        return line.allSatisfy(isSpace) ? nil : .init(number: index + 1, content: .success(line))
    }
    precondition(found == expected)
    precondition(texts([pieces.whole], .newlineDelimited) == found)
}

/// No text contains a separator, and the numbers increase.
private func checkSequence(_ pieces: Pieces) {
    let found = texts(pieces.pieces, .textSequence)
    precondition(texts([pieces.whole], .textSequence) == found)
    precondition(zip(found, found.dropFirst()).allSatisfy { $0.number < $1.number })
    for text in found {
        guard case .success(let bytes) = text.content else { continue }
        precondition(!bytes.contains(0x1E) && bytes.count <= limit && !bytes.allSatisfy(isSpace) && text.number > 0)
    }
}

private struct Outcome: Equatable {
    var parts: [ResponsePart] = []
    var defect: MultipartSplitter.Reason?

    init(_ pieces: [Data], limits: MultipartLimits) {
        do throws(MultipartSplitter.Reason) {
            var splitter = try MultipartSplitter(contentType: "multipart/mixed; boundary=b", limits: limits)
            for piece in pieces { try splitter.add(piece, completing: &parts) }
            try splitter.finish(completing: &parts)
        } catch {
            defect = error
        }
    }
}

/// Without limits, the division into pieces changes nothing. With limits, the parts are within them.
private func checkMultipart(_ pieces: Pieces) {
    let outcome = Outcome(pieces.pieces, limits: MultipartLimits())
    precondition(outcome == Outcome([pieces.whole], limits: MultipartLimits()))
    precondition(outcome.parts.allSatisfy { $0.headers.keys.allSatisfy { $0 == $0.lowercased() && !$0.isEmpty } })
    var limits = MultipartLimits()
    (limits.maximumHeaderSize, limits.maximumPartSize, limits.maximumPartCount) = (32, 32, 3)
    let limited = Outcome(pieces.pieces, limits: limits)
    precondition(limited.parts.count <= 3 && limited.parts.allSatisfy { $0.body.count <= 32 })
    precondition(outcome.parts.starts(with: limited.parts))
}

/// The parts of a body are those from which it was written. The contents have 0xFF between them in the input.
private func checkParts(_ input: Data, _ pieces: Pieces) {
    let bodies = input.split(separator: 0xFF, omittingEmptySubsequences: false).map { Data($0) }
    let hasDelimiter = bodies.contains { body in
        body.split(separator: 0x0A, omittingEmptySubsequences: false).contains { $0.starts(with: "--b".utf8) }
    }
    guard !hasDelimiter else { return }
    let written = bodies.reduce(into: Data()) { $0 += Data("--b\r\nX: y\r\n\r\n".utf8) + $1 + Data("\r\n".utf8) }
    let outcome = Outcome(
        Pieces(written + Data("--b--".utf8), seed: pieces.seed).pieces, limits: MultipartLimits())
    precondition(outcome.defect == nil && outcome.parts == bodies.map { ResponsePart(headers: ["x": "y"], body: $0) })
}
