import Foundation
import HTTPRules
import TestKit
import Testing

/// Judges the cases of `.ci/cache-differential`, which compares the results with those of an independent cache. Reads a
/// case from each line of the file `SIESTA_CACHE_CASES`, and writes a result for each to `SIESTA_CACHE_RESULTS`.
@Suite(.timeLimit(.model))
struct CacheDifferentialTests {
    private static let environment = ProcessInfo.processInfo.environment

    private struct Case: Decodable {
        var shared: Bool
        var method: String
        var status: Int
        var request: [String: String]
        var response: [String: String]
        var newRequest: [String: String]
        var requestTime: Double
        var responseTime: Double
        var now: Double
    }

    private struct Result: Encodable {
        var stores: Bool
        var matches: Bool
        var lifetime: UInt32
        var age: Double
        var verdict: String
    }

    @Test(.enabled(if: environment["SIESTA_CACHE_CASES"] != nil && environment["SIESTA_CACHE_RESULTS"] != nil))
    func `The cases of the differential test are judged`() throws {
        let cases = try String(contentsOfFile: Self.environment["SIESTA_CACHE_CASES", default: ""], encoding: .utf8)
        var results = ""
        for line in cases.split(separator: "\n") {
            let result = Self.judge(try JSONDecoder().decode(Case.self, from: Data(line.utf8)))
            results += String(decoding: try JSONEncoder().encode(result), as: UTF8.self) + "\n"
        }
        try results.write(
            toFile: Self.environment["SIESTA_CACHE_RESULTS", default: ""], atomically: true, encoding: .utf8)
    }

    private static func judge(_ test: Case) -> Result {
        let policy = CachePolicy(test.shared ? .shared : .private)
        let stored = policy.lifetime(
            of: test.response, status: test.status, requestTime: test.requestTime, responseTime: test.responseTime,
            fallback: nil)
        let age = stored.age(arrivedAt: test.responseTime, now: test.now)
        return Result(
            stores: policy.mayStore(
                method: test.method, status: test.status, request: RequestDirectives(test.request),
                hasAuthorization: test.request["authorization"] != nil, response: test.response),
            matches: VaryField(test.response["vary"]).matches(stored: test.request, new: test.newRequest),
            lifetime: stored.lifetime, age: age.isFinite ? age : -1,
            verdict: "\(policy.verdict(stored, age: age, request: RequestDirectives(test.newRequest)))")
    }
}
