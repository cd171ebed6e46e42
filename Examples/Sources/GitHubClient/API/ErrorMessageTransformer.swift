import Foundation
package import Siesta

/// Takes the words of an error from GitHub's answer, or says until when the rate limit is used up.
struct ErrorMessageTransformer: ResponseTransformer {
    private struct Problem: Decodable {
        let message: String
    }

    /// The time zone in which times of day are told.
    var timeZone = TimeZone.current

    func process(_ response: Response) -> Response {
        guard case .failure(var error) = response else { return response }
        guard let message = limitMessage(for: error) ?? Self.message(in: error) else { return response }
        error.userMessage = message
        return logTransformation(.failure(error))
    }

    private static func message(in error: RequestError) -> String? {
        guard let body: Data = error.typedContent() else { return nil }
        return (try? JSONDecoder().decode(Problem.self, from: body))?.message
    }

    /// GitHub's own message is long, and does not say until when.
    private func limitMessage(for error: RequestError) -> String? {
        guard error.isRateLimit,
            let reset = error.entity?.header(forKey: "X-RateLimit-Reset").flatMap(TimeInterval.init)
        else { return nil }
        return "The rate limit is used up until \(timeOfDay(Date(timeIntervalSince1970: reset)))"
    }

    private func timeOfDay(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.hour, .minute], from: date)
        let minute = parts.minute ?? 0
        return "\(parts.hour ?? 0):\(minute < 10 ? "0" : "")\(minute)"
    }
}

extension RequestError {
    /// True if the requests of an hour are spent. GitHub then answers 403 or 429.
    package var isRateLimit: Bool {
        (httpStatusCode == 403 || httpStatusCode == 429) && entity?.header(forKey: "X-RateLimit-Remaining") == "0"
    }
}
