import Foundation
import HTTPRules

extension StubAnswer {
    /// Returns the reason why no server could send this answer; nil if a server could send it.
    func impossibility(method: String) -> String? {
        guard case .response(let status, let headers, let body) = outcome else { return nil }
        return FinalResponse.impossibility(status: status, headers: headers, hasBody: !body.isEmpty, method: method)
    }

    /// A short description of the answer.
    var summary: String {
        switch outcome {
        case .response(let status, _, let body):
            isHeld ? "held" : "\(status), \(isStream ? "a stream" : "\(body.count) bytes")"
        case .failure(let error): "\(error)"
        }
    }
}
