import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles

/// A service with a stub network and one resource. Its responses go through the pipeline that a test configures.
@MainActor
struct PipelineBench {
    let network = StubNetwork()
    let service: Service

    var resource: Resource { service.resource("/x") }

    init(standardTransformers: [StandardTransformer] = [.json, .text, .image]) {
        service = Service(
            baseURL: "http://pipeline.test", standardTransformers: standardTransformers, networking: network)
    }

    /// Returns the result of `answer` after the pipeline.
    func response(to answer: StubAnswer, method: RequestMethod = .get) async -> Response {
        network.answer(method, "/x", with: answer)
        return await resource.request(method).completion().response
    }

    /// Returns the content that the pipeline produces from `answer`; nil for an error.
    func content(of answer: StubAnswer) async -> Any? {
        try? await response(to: answer).get().content
    }

    /// Returns the error that the pipeline produces from `answer`; nil for a success.
    func error(of answer: StubAnswer) async -> RequestError? {
        await response(to: answer).failure
    }
}

/// Appends a letter to text content, so that the content shows the order of the transformers.
struct Appending: ResponseTransformer {
    let letter: String

    init(_ letter: String) {
        self.letter = letter
    }

    func process(_ response: Response) -> Response {
        guard case .success(var entity) = response else { return response }
        entity.content = ((entity.content as? String) ?? "") + letter
        return .success(entity)
    }
}
