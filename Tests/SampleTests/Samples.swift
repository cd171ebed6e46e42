import SampleServer
import Siesta
import TestKit
import Testing

/// The samples of the README, the articles and the doc comments. They run one after another, because they share the
/// stage.
@Suite(.serialized, .timeLimit(.test))
enum Samples {}

/// The server and the printed lines of the running sample.
nonisolated let stage = SampleStage()

/// A type that caches encode and decode off the main actor. Samples with such code use it under the name `User`, because
/// in a module that belongs to the main actor, `User` belongs to the main actor, too.
nonisolated struct DetachedUser: Codable, Sendable {
    var id: Int
    var name: String
}

/// Has the name of the library's class. Requests for the hosts of the samples go to the server of the sample.
@MainActor
class Service: Siesta.Service {
    override init(
        baseURL: (any URLConvertible)? = nil, standardTransformers: [StandardTransformer] = [.json, .text, .image],
        networking: any NetworkingProviderConvertible = DefaultNetworking()
    ) {
        super.init(
            baseURL: baseURL, standardTransformers: standardTransformers,
            networking: SampleNetworking.sending(through: networking, to: stage.server))
    }

    override init(
        baseURL: (any URLConvertible)? = nil, standardTransformers: [StandardTransformer] = [.json, .text, .image],
        networking: any NetworkingProviderConvertible = DefaultNetworking(), cookies: CookieStorage
    ) {
        super.init(
            baseURL: baseURL, standardTransformers: standardTransformers,
            networking: SampleNetworking.sending(through: networking, to: stage.server), cookies: cookies)
    }
}

/// Hides the function of Swift, because it has the same declaration. It adds a line to the printed lines.
nonisolated func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
    stage.print(items.map { "\($0)" }.joined(separator: separator))
}

/// The function with which the samples show values on a screen. It adds a line to the printed lines.
nonisolated func show(_ values: Any?..., isBusy: Bool = false) {
    stage.print(values.map { $0.map { "\($0)" } ?? "nil" }.joined(separator: " ") + (isBusy ? " busy" : ""))
}
