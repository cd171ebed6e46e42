import Foundation
import SiestaActivity
import SiestaCore
import SiestaLive
import SiestaRetrying
import SiestaTesting
import SiestaWriting
import TestKit
import Testing

/// The options that explanations name.
@MainActor @Suite(.timeLimit(.test))
struct ExplainedOptionsTests {
    private struct Transformer: ResponseTransformer {
        func process(_ response: Response) -> Response { response }
        var debugDescription: String { "transformer" }
    }

    /// A change of each option, by the name of its property or method.
    private let changes: [String: (inout Configuration) -> Void] = [
        "expirationTime": { $0.expirationTime = 7 },
        "retryTime": { $0.retryTime = 7 },
        "headers": { $0.headers["X-Name"] = "value" },
        "pipeline": { $0.pipeline[.model].add(Transformer()) },
        "progressReportingInterval": { $0.progressReportingInterval = 7 },
        "jsonDecoder": { $0.jsonDecoder.dateDecodingStrategy = .iso8601 },
        "jsonEncoder": { $0.jsonEncoder.outputFormatting = .sortedKeys },
        "retry": { $0.retry = .standard },
        "sendsIdempotencyKeys": { $0.sendsIdempotencyKeys = true },
        "pacing": { $0.pacing = Pacing(requestsPerSecond: 7) },
        "priority": { $0.priority = .high },
        "offline": { $0.offline = .wait(upTo: 7) },
        "timeLimit": { $0.timeLimit = 7 },
        "live": { $0.live = .eventSource("/events") { _, _ in nil } },
        "reload": { $0.reload = [.observed] },
        "cancelsLoadsAfterLastObserver": { $0.cancelsLoadsAfterLastObserver = 7 },
        "isPersonal": { $0.isPersonal = false },
        "changeDetection": { $0.changeDetection = .bytes },
        "retention": { $0.retention = 7 },
        "freshness": { $0.freshness = .http },
        "precondition": { $0.precondition = .unchanged },
        "sendsTraceContext": { $0.sendsTraceContext = true },
        "negotiatesContent": { $0.negotiatesContent = true },
        "usesFoundationJSON": { $0.usesFoundationJSON = true },
        "tags": { $0.tags = ["tag"] },
        "invalidates": { $0.invalidates = ["tag"] },
        "mutateRequests": { $0.mutateRequests { _ in } },
        "decorateRequests": { $0.decorateRequests { $1 } },
        "tagEntities": { $0.tagEntities { _ in [] } },
        "tagContent": { $0.tagContent(of: String.self) { _ in [] } },
        "addInvalidations": { $0.addInvalidations { _, _ in [] } },
        "useRecommendedReloading": { $0.useRecommendedReloading() },
    ]

    /// The names of the options in explanations, where they differ from the property or method.
    private let names: [String: String] = [
        "pipeline": "transformers of model", "mutateRequests": "requestMutations",
        "decorateRequests": "requestDecorators", "tagEntities": "taggers", "tagContent": "taggers",
        "addInvalidations": "invalidators", "useRecommendedReloading": "reload",
    ]

    private func explained(_ change: @escaping (inout Configuration) -> Void) -> [String] {
        let service = Service(baseURL: "https://api.test", networking: StubNetwork())
        service.configure(description: "changed", configurer: change)
        let rule = service.resource("/thing").explain().rules.first { $0.name == "changed" }
        return rule?.options.map(\.name) ?? []
    }

    @Test func `An explanation names each option that a rule changes`() {
        for (name, change) in changes {
            #expect(explained(change).contains(names[name] ?? name), "\(name)")
        }
    }

    @Test func `A rule that changes nothing has no options`() {
        #expect(explained { _ in } == [])
        #expect(explained { $0.jsonDecoder = JSONDecoder() } == [])
        #expect(explained { $0.priority = .normal } == [])
    }

    /// The names of the public properties and methods that change a configuration, from the sources.
    private var declared: Set<String> {
        get throws {
            let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            let folder = root.appendingPathComponent("Sources")
            var names: Set<String> = []
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            for file in files where file.hasSuffix(".swift") {
                let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
                names.formUnion(Self.declarations(in: text))
            }
            return names
        }
    }

    private static func declarations(in text: String) -> [String] {
        var (isConfiguration, names) = (false, [String]())
        var last: Substring = ""
        for line in text.split(separator: "\n") {
            defer { last = line }
            if !line.hasPrefix(" "), !line.hasPrefix("}"), !line.hasPrefix("/") {
                isConfiguration =
                    line.hasPrefix("public struct Configuration {") || line.hasPrefix("extension Configuration {")
            }
            let starts = ["    public var ", "    public mutating func "]
            guard isConfiguration, let start = starts.first(where: { line.hasPrefix($0) }),
                !last.contains("@available(*, unavailable")
            else { continue }
            names.append(String(line.dropFirst(start.count).prefix { $0.isLetter || $0.isNumber }))
        }
        return names
    }

    @Test func `Each option of a configuration is tested here`() throws {
        #expect(try declared == Set(changes.keys))
    }
}
