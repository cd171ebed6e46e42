package import Foundation
import Isolation

/// A body of segments, each of which is in memory or in a file. The length of the body is known from the start.
package struct SegmentedBody: StreamedBody {
    /// A part of the body.
    package enum Segment: Sendable {
        case bytes(Data)
        /// A file that must have the same length and time of modification when it is read.
        case file(URL, length: Int64, modified: Int64)

        var length: Int64 {
            switch self {
            case .bytes(let data): Int64(data.count)
            case .file(_, let length, _): length
            }
        }

        /// Returns a segment with the current content of a file. If a length in bytes or a time of modification is given,
        /// the file must have it.
        package static func file(
            _ url: URL, ofLength length: Int64? = nil, modifiedAt time: Int64? = nil
        ) throws(RequestError.Failure) -> Segment {
            let file = try BodyFile(url, length: length, modified: time)
            return .file(url, length: file.length, modified: file.modified)
        }
    }

    let segments: [Segment]

    package init(segments: [Segment]) { self.segments = segments }

    /// Returns the file, if the body consists of a single file. Throws if the file has changed.
    func unchangedFile() throws(RequestError.Failure) -> URL? {
        guard segments.count == 1, case .file(let url, let length, let modified) = segments[0] else { return nil }
        _ = try BodyFile(url, length: length, modified: modified)
        return url
    }

    package var length: Int64? { segments.reduce(0) { $0 + $1.length } }

    package var isRepeatable: Bool { true }

    package func makeReader() -> any BodyReader { Reader(segments) }

    /// Reads the segments on a separate queue, because reads from disks block.
    private struct Reader: BodyReader {
        private let rest: QueueIsolated<UnreadSegments>

        init(_ segments: [Segment]) {
            rest = QueueIsolated(label: "Siesta.SegmentedBody") { UnreadSegments(segments: segments[...]) }
        }

        func next() async throws -> Data? { try await rest.run { rest in try rest.read() } }
    }
}

/// The part of a body that has not been read yet.
private struct UnreadSegments {
    var segments: ArraySlice<SegmentedBody.Segment>
    var file: BodyFile?

    mutating func read() throws -> Data? {
        while true {
            if let piece = try file?.read() { return piece }
            file = nil
            guard let segment = segments.popFirst() else { return nil }
            switch segment {
            case .bytes(let data): if !data.isEmpty { return data }
            case .file(let url, let length, let modified): file = try BodyFile(url, length: length, modified: modified)
            }
        }
    }
}
