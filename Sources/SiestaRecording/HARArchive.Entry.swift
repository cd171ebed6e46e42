package import Foundation
import HTTPRules

extension HARArchive {
    /// A request and its response or error.
    package struct Entry: Sendable, Equatable {
        /// The time at which the request started.
        package var started: Date

        /// The duration of the exchange, in seconds.
        package var time: TimeInterval

        /// The request.
        package var request: Request

        /// The response. Its status is 0 if there was none.
        package var response: Response

        /// The phases of the exchange.
        package var timings: Timings

        /// A description of the error that prevented the response or a part of it; nil if there was no error.
        package var error: String?

        /// The code of the error if it is a `URLError`.
        package var errorCode: Int?

        /// A note for people, for example on redirects; nil if there is none.
        package var comment: String?

        /// Creates an entry.
        package init(
            request: Request, response: Response, started: Date = Date(timeIntervalSince1970: 0),
            time: TimeInterval = 0, timings: Timings = Timings()
        ) {
            (self.request, self.response, self.started) = (request, response, started)
            (self.time, self.timings) = (time, timings)
        }
    }
}

extension HARArchive.Entry {
    /// True if the response is a stream of events.
    var isEventStream: Bool {
        200..<300 ~= response.status
            && MediaType.essence(of: response.header("Content-Type") ?? response.body.contentType)
                == "text/event-stream"
    }

    /// True if the app has cancelled the request, or if it was a stream that was open at the end of the recording.
    var isCancelled: Bool { errorCode == URLError.Code.cancelled.rawValue }
}

extension HARArchive.Entry: Codable {
    private enum CodingKeys: String, CodingKey {
        case startedDateTime, time, request, response, cache, timings, comment
        case error = "_error"
        case errorCode = "_errorCode"
    }

    private struct Empty: Encodable {}

    /// Reads an entry. Only the request and the response are required.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            request: try fields.decode(HARArchive.Request.self, forKey: .request),
            response: try fields.decode(HARArchive.Response.self, forKey: .response),
            time: (try fields.decodeIfPresent(Double.self, forKey: .time) ?? 0) / 1000,
            timings: try fields.decodeIfPresent(HARArchive.Timings.self, forKey: .timings) ?? HARArchive.Timings())
        if let text = try fields.decodeIfPresent(String.self, forKey: .startedDateTime) {
            guard let date = Self.date(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .startedDateTime, in: fields, debugDescription: "The text is not a date of ISO 8601.")
            }
            started = date
        }
        comment = try fields.decodeIfPresent(String.self, forKey: .comment)
        error = try fields.decodeIfPresent(String.self, forKey: .error)
        errorCode = try fields.decodeIfPresent(Int.self, forKey: .errorCode)
    }

    /// Writes the entry.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(Self.text(started), forKey: .startedDateTime)
        try fields.encode((time * 1000).rounded(toPlaces: 3), forKey: .time)
        try fields.encode(request, forKey: .request)
        try fields.encode(response, forKey: .response)
        try fields.encode(Empty(), forKey: .cache)
        try fields.encode(timings, forKey: .timings)
        try fields.encodeIfPresent(comment, forKey: .comment)
        try fields.encodeIfPresent(error, forKey: .error)
        try fields.encodeIfPresent(errorCode, forKey: .errorCode)
    }

    private static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle()))
    }

    /// Returns the date with milliseconds, rounded. The style of Foundation truncates, so that a date would lose a
    /// millisecond each time it is written.
    private static func text(_ date: Date) -> String {
        let time = (date.timeIntervalSince1970 * 1000).rounded()
        let milliseconds = abs(time) < 1e14 ? Int(time) : 0  // 1e14 is a time in the year 5138.
        let (seconds, fraction) = (milliseconds.flooredQuotient(by: 1000), milliseconds.flooredRemainder(by: 1000))
        let text = Date(timeIntervalSince1970: Double(seconds)).formatted(Date.ISO8601FormatStyle())
        return "\(text.dropLast()).\(String(String(fraction + 1000).dropFirst()))Z"
    }
}

extension Int {
    fileprivate func flooredQuotient(by divisor: Int) -> Int { (self - flooredRemainder(by: divisor)) / divisor }

    fileprivate func flooredRemainder(by divisor: Int) -> Int { (self % divisor + divisor) % divisor }
}

extension Double {
    /// The number, rounded so that a text of it has at most so many digits after the point.
    func rounded(toPlaces places: Int) -> Double {
        let factor = pow(10, Double(places))
        let scaled = (self * factor).rounded() / factor
        return scaled.isFinite ? scaled : 0
    }
}
