import Foundation
import HTTPRules
import SiestaCore

/// The position at which a download resumes: the end of the bytes that earlier downloads of the same version have
/// received.
struct ResumePoint: Equatable, Sendable {
    /// The number of bytes that were received.
    let offset: Int64
    let validator: StrongValidator
    /// The total number of bytes; nil if it is unknown.
    let total: Int64?

    /// The headers that request the missing bytes if the version has not changed. Otherwise the server sends the whole
    /// file (RFC 9110 §13.1.5 and §14.2).
    var headers: [String: String] { ["Range": "bytes=\(offset)-", "If-Range": validator.value] }
}

/// The meaning of a response to a download. Pure.
enum DownloadStep: Equatable, Sendable {
    /// The body is a part of the file.
    case write(Section)
    /// The response does not match the existing bytes. The whole file must be requested.
    case startOver
    /// The server does not send the file. The body describes the reason.
    case refused
    /// The response is a success without content: 204 or 205 (RFC 9110 §15.3.5, §15.3.6). It contains no file.
    case noContent
    /// The response does not answer the request: it is a part that was not requested, or no HTTP response.
    case contradictory

    /// A contiguous part of the file.
    struct Section: Equatable, Sendable {
        /// The position of the first byte. If it is 0, the existing bytes of the file belong to another version.
        let offset: Int64
        /// The number of bytes of the section; nil if it is unknown.
        let length: Int64?
        /// The total number of bytes of the file; nil if it is unknown.
        let total: Int64?
        /// The validator with which a later download can resume; nil if no later download can resume.
        let validator: StrongValidator?

        /// Returns true if the file is complete after `count` bytes of the section were written. Returns nil if `count`
        /// differs from the length of the section.
        func completes(with count: Int64) -> Bool? {
            guard count == length ?? count else { return nil }
            return offset + count >= total ?? 0
        }
    }

    /// Returns the step after a response from `url`. `point` is the position at which the request asked to resume; nil
    /// if it asked for the whole file.
    static func after(status: Int, _ fields: HeaderFields, from url: URL?, asked point: ResumePoint?) -> DownloadStep {
        let isPart = fields.isRangeOfBytes ?? false
        return switch (status, point) {
        case (206, let point?): resumed(fields, from: url, at: point)
        case (416, _?): .startOver
        case (206, nil), (226, _), (100..<200, _): .contradictory
        case (200, _), (203, _): isPart ? point == nil ? .contradictory : .startOver : .write(whole(fields, from: url))
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
            Section(offset: point.offset, length: length, total: range.total, validator: point.validator))
    }

    private static func whole(_ fields: HeaderFields, from url: URL?) -> Section {
        let canResume = !isEncoded(fields) && fields["accept-ranges"]?.lowercased() != "none"
        let length = isEncoded(fields) || fields["transfer-encoding"] != nil ? nil : fields["content-length"]
        let total = length.flatMap { Int64($0) }
        return Section(
            offset: 0, length: total, total: total, validator: canResume ? StrongValidator(fields, from: url) : nil)
    }

    /// Returns true if the body consists of several parts with their own headers and with boundaries (RFC 9110 §14.6).
    /// Includes the type that servers used before the registration of `multipart/byteranges`.
    private static func hasSeveralRanges(_ fields: HeaderFields) -> Bool {
        guard let type = fields.contentType?.lowercased() else { return false }
        return type.contains("multipart/byteranges") || type.contains("multipart/x-byteranges")
    }

    /// Returns true if the received bytes are encoded, for example compressed. Then they differ from the bytes that
    /// ranges and lengths count.
    private static func isEncoded(_ fields: HeaderFields) -> Bool {
        fields["content-encoding"].map { $0.lowercased() != "identity" } ?? false
    }
}
