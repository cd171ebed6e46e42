import Foundation
import FuzzDriver

@testable import SiestaCore
@testable import SiestaNetworking

@main
struct ProblemFuzzer {
    static func main() {
        runFuzzer { fuzz($0, $1) }
    }
}

/// Takes the first line of an input for a content type and the rest for the body of an error, and checks where its
/// message comes from.
private func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    let parts = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return 0 }
    let suffix = String(decoding: parts[0], as: UTF8.self)
    let body = Data(parts[1])
    for contentType in ["application/problem+json" + suffix, suffix] {
        check(body, contentType: contentType)
    }
    return 0
}

private func check(_ body: Data, contentType: String) {
    let entity = Entity<Any>(content: body, contentType: contentType)
    let message = ProblemDetails.message(in: entity)
    let error = RequestError(
        statusCode: 418, headerFields: HeaderFields(["Content-Type": contentType]), content: body, cause: nil,
        userMessage: nil)
    precondition(error.userMessage == message ?? UserMessages.current.statusPhrase(418))
    guard let message else { return }
    precondition(ProblemDetails.isContentType(contentType) && body.count <= ProblemDetails.sizeLimit)
    precondition(!message.isEmpty && message.utf8.count <= body.count * 3)
    let members = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
    precondition([members?["detail"], members?["title"]].contains { $0 as? String == message })
}
