import Foundation

/// How far an earlier download of the same version came.
struct ResumePoint: Equatable, Sendable {
    /// How many bytes are there.
    let offset: Int64
    let validator: StrongValidator
    /// How many bytes there are in all, if that is known.
    let total: Int64?

    /// The headers that ask for the rest if the version is still that, and else for everything (RFC 9110 §13.1.5 and
    /// §14.2).
    var headers: [String: String] { ["Range": "bytes=\(offset)-", "If-Range": validator.value] }
}

/// What the answer to a download means. Pure.
enum DownloadStep: Equatable, Sendable {
    /// Its body belongs into the file.
    case write(Stretch)
    /// It is of no use for the part that is there: ask for everything.
    case startOver
    /// The server does not give the file; the body says why.
    case refused
    /// It is a success without content, which is no file (RFC 9110 §15.3.5).
    case noContent
    /// It is not what was asked for.
    case senseless

    /// A piece of the file.
    struct Stretch: Equatable, Sendable {
        /// Where it begins; 0 means that nothing that is there belongs to it.
        let offset: Int64
        /// How many bytes it has, if that is known.
        let length: Int64?
        /// How many bytes the file has in all, if that is known.
        let total: Int64?
        /// What a later download can resume with, if it can.
        let validator: StrongValidator?

        /// Whether the file is complete once `count` bytes of it are written; nil if they are not as many as they have
        /// to be.
        func completes(with count: Int64) -> Bool? {
            guard count == length ?? count else { return nil }
            return offset + count >= total ?? 0
        }
    }

    /// The step after an answer from `url` to a request that asked to resume at `point`, or for everything.
    static func after(status: Int, _ fields: HeaderFields, from url: URL?, asked point: ResumePoint?) -> DownloadStep {
        switch (status, point) {
        case (206, let point?): resumed(fields, from: url, at: point)
        case (416, _?): .startOver
        case (206, nil): .senseless
        case (200, _), (203, _): .write(whole(fields, from: url))
        case (204, _), (205, _): .noContent
        default: .refused
        }
    }

    private static func resumed(_ fields: HeaderFields, from url: URL?, at point: ResumePoint) -> DownloadStep {
        guard !isEncoded(fields), !hasSeveralRanges(fields),
            let range = fields["content-range"].flatMap(ContentRange.init),
            range.first == point.offset, range.total == point.total ?? range.total,
            point.validator.identifies(fields, from: url)
        else { return .startOver }
        let length = range.last - range.first + 1
        guard fields["content-length"].map({ Int64($0) == length }) ?? true else { return .startOver }
        return .write(
            Stretch(offset: point.offset, length: length, total: range.total, validator: point.validator))
    }

    private static func whole(_ fields: HeaderFields, from url: URL?) -> Stretch {
        let canResume = !isEncoded(fields) && fields["accept-ranges"]?.lowercased() != "none"
        let length = isEncoded(fields) || fields["transfer-encoding"] != nil ? nil : fields["content-length"]
        let total = length.flatMap { Int64($0) }
        return Stretch(
            offset: 0, length: total, total: total, validator: canResume ? StrongValidator(fields, from: url) : nil)
    }

    /// Whether the body consists of parts with headers and boundaries of their own (RFC 9110 §14.6), or of what servers
    /// sent before that type had a name.
    private static func hasSeveralRanges(_ fields: HeaderFields) -> Bool {
        guard let type = fields["content-type"]?.lowercased() else { return false }
        return type.contains("multipart/byteranges") || type.contains("multipart/x-byteranges")
    }

    /// Whether what is received is not, byte for byte, what ranges and lengths are about.
    private static func isEncoded(_ fields: HeaderFields) -> Bool {
        fields["content-encoding"].map { $0.lowercased() != "identity" } ?? false
    }
}
