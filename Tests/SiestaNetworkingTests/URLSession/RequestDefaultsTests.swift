import Foundation

import SiestaCore
import TestKit
import Testing
@testable import SiestaNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The settings of a session configuration that the library applies to each request.
@Suite(.timeLimit(.test))
struct RequestDefaultsTests {
    private let configuration = URLSessionConfiguration.ephemeral
    private let request: URLRequest

    init() throws {
        request = URLRequest(url: try #require(URL(string: "http://a.test")))
    }

    private func totalTimeout(for request: URLRequest, isStreamed: Bool = false) -> TimeInterval? {
        RequestDefaults(configuration).totalTimeout(for: request, isStreamed: isStreamed)
    }

    @Test
    func `A load has ten minutes unless the configuration or the request allows more; a stream has no such limit`() {
        var request = request
        #expect(totalTimeout(for: request) == 600)
        #expect(totalTimeout(for: request, isStreamed: true) == nil)
        request.timeoutInterval = 1200
        #expect(totalTimeout(for: request) == 1200)
        request.httpBodyStream = InputStream(data: Data())
        #expect(totalTimeout(for: request) == nil)
        request.httpBodyStream = nil
        configuration.timeoutIntervalForResource = 1_000_000
        #expect(totalTimeout(for: request) == nil)
    }

    @Test(arguments: [true, false])
    func `A limit of the app holds for every request`(isStreamed: Bool) {
        configuration.timeoutIntervalForResource = 80
        #expect(totalTimeout(for: request, isStreamed: isStreamed) == 80)
    }

    @Test func `A request gets the configured headers that it lacks`() {
        configuration.httpAdditionalHeaders = ["Authorization": "secret", "X-One": "default"]
        var request = request
        request.setValue("own", forHTTPHeaderField: "x-one")
        let applied = RequestDefaults(configuration).applied(to: request)
        #expect(applied.value(forHTTPHeaderField: "Authorization") == "secret")
        #expect(applied.value(forHTTPHeaderField: "X-One") == "own")
        #expect(RequestDefaults(configuration).headers == ["Authorization": "secret", "X-One": "default"])
    }
}
