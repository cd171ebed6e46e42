import Foundation
import Isolation
import LoopbackServer
import SiestaCore
import SiestaTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A recorder that records, around a stub network, and a service that uses it.
@MainActor
struct RecordingBench {
    let network = StubNetwork()
    let recorder: HARRecorder
    let service: Service

    init(
        redaction: HARRecorder.Redaction = .standard, bodies: HARRecorder.Bodies = .inline(limit: 1 << 20),
        maximumEntryCount: Int = 1000, maximumSize: Int = 64 << 20
    ) {
        recorder = HARRecorder(
            around: network, redaction: redaction, bodies: bodies, maximumEntryCount: maximumEntryCount,
            maximumSize: maximumSize)
        service = Service(baseURL: "https://api.test", networking: recorder)
        recorder.start()
    }

    /// Sends a GET request whose answer is `answer`, and waits for its end.
    func send(_ url: String, answer: StubAnswer = .json("{}")) async throws {
        try await send(.get, url, answer: answer)
    }

    /// Sends a request whose answer is `answer`, and waits for its end.
    @discardableResult
    func send(
        _ method: RequestMethod, _ url: String, body: Data? = nil, headers: [String: String] = [:],
        answer: StubAnswer = .json("{}")
    ) async throws -> ResponseInfo {
        network.handler = { _ in answer }
        let url = try #require(URL(string: url))
        return await service.resource(absoluteURL: url).request(method) { request in
            request.httpBody = body
            for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        }.completion()
    }

    /// The entry of the last request.
    func entry() throws -> HARArchive.Entry {
        try #require(recorder.archive.entries.last)
    }

    /// The text of the whole HAR file.
    func text() throws -> String {
        String(decoding: try recorder.archive.data, as: UTF8.self)
    }
}

extension HARArchive.Body {
    /// The content as text.
    var text: String { String(decoding: content ?? Data(), as: UTF8.self) }
}

extension ResponseInfo {
    /// The body of a success as text.
    var bodyText: String? {
        guard case .success(let entity) = response else { return nil }
        if let text = entity.content as? String { return text }
        if let data = entity.content as? Data { return String(decoding: data, as: UTF8.self) }
        return (try? JSONSerialization.data(withJSONObject: entity.content, options: [.sortedKeys, .fragmentsAllowed]))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The cause of a failure.
    var failureCause: (any Error)? {
        if case .failure(let error) = response { error.cause } else { nil }
    }
}
