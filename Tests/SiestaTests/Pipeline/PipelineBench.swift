import Foundation
import Siesta
import SiestaTesting

/// A service over a stub network with one resource, whose answers go through whatever pipeline a test configures.
@MainActor
struct PipelineBench {
    let network = StubNetwork()
    let service: Service

    var resource: Resource { service.resource("/x") }

    init(standardTransformers: [StandardTransformer] = [.json, .text, .image]) {
        service = Service(
            baseURL: "http://pipeline.test", standardTransformers: standardTransformers, networking: network)
    }

    /// What becomes of `answer` on its way through the pipeline.
    func response(to answer: StubAnswer, method: RequestMethod = .get) async -> Response {
        network.answer(method, "/x", with: answer)
        return await resource.request(method).completion().response
    }

    /// The content that the pipeline makes of `answer`; nil if that is an error.
    func content(of answer: StubAnswer) async -> Any? {
        try? await response(to: answer).get().content
    }

    /// The error that the pipeline makes of `answer`; nil if that is a success.
    func error(of answer: StubAnswer) async -> RequestError? {
        await response(to: answer).failure
    }
}

extension Result {
    /// The error, if this is one.
    var failure: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

/// Appends a letter to text content, so that the order in which transformers ran can be read off.
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
