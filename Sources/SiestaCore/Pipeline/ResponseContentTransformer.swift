import Foundation

/// A transformer that converts content of one type to another type with a function.
///
///     ResponseContentTransformer { (entity: Entity<[String: Any]>) in entity.content["name"] as? String }
///
/// The function runs off the main thread. It is not called for a successful response without content, such as a
/// response with status 204.
///
/// If the function throws an error or returns nil, the response becomes a failure:
///
/// - If the function throws a ``RequestError``, the response contains this error.
/// - If the function throws another error, the response contains a `RequestError` whose cause is the thrown error.
/// - If the function returns nil, the response contains a `RequestError` with the cause
///   ``RequestError/Cause/TransformerReturnedNil``.
public struct ResponseContentTransformer<InputContentType, OutputContentType>: ResponseTransformer {
    /// The treatment of content that is not of the input type.
    public enum InputTypeMismatchAction: Sendable {
        /// Fails with ``RequestError/Cause/WrongInputTypeInTranformerPipeline``.
        case error
        /// Passes the response on unchanged.
        case skip
        /// Passes the response on unchanged if its content already has the output type. Otherwise fails.
        case skipIfOutputTypeMatches
    }

    /// A function that converts the content. It receives the whole entity, including the headers.
    public typealias Processor = @Sendable (Entity<InputContentType>) throws -> OutputContentType?

    private let processor: Processor
    private let mismatch: Mismatch
    private let transformsErrors: Bool
    /// True if the function runs no code of the app. Then short content can be converted on any thread.
    private(set) var runsLibraryCodeOnly = false

    /// Creates a transformer that converts content with the given function.
    ///
    /// - Parameters:
    ///   - onInputTypeMismatch: The treatment of content that is not of the input type. The default is to fail.
    ///   - transformErrors: True to also convert the entities of errors. If this conversion fails, the original error
    ///     is kept. The default is false.
    ///   - processor: The function that converts the content.
    #if Swift5Clients
    @preconcurrency
    #endif
    public init(
        onInputTypeMismatch: InputTypeMismatchAction = .error, transformErrors: Bool = false,
        processor: @escaping Processor
    ) {
        self.processor = processor
        mismatch = .action(onInputTypeMismatch)
        transformsErrors = transformErrors
    }

    /// Creates a transformer that skips content that other transformers have parsed, and fails for content that was
    /// decoded before. JSON may be of the output type without having been decoded before.
    init(skippingParsedContentWithErrors processor: @escaping Processor) {
        self.processor = processor
        mismatch = .skipUnlessDecoded
        transformsErrors = true
    }

    /// Returns the same transformer, marked as one that runs no code of the app.
    func withLibraryCodeOnly() -> Self {
        var copy = self
        copy.runsLibraryCodeOnly = true
        return copy
    }

    /// The treatment of content that is not of the input type. One byte, so that an existential of this transformer needs
    /// no allocation.
    private enum Mismatch: Sendable {
        case action(InputTypeMismatchAction)
        case skipUnlessDecoded

        func skips(_ entity: Entity<Any>) -> Bool {
            switch self {
            case .action(.error): false
            case .action(.skip): true
            case .action(.skipIfOutputTypeMatches): entity.content is OutputContentType
            case .skipUnlessDecoded:
                !(entity.content is OutputContentType) || StandardTransformer.isJSON(entity.contentType)
            }
        }
    }

    /// Converts the entity of a successful response. If `transformErrors` is true, also converts the entity of a
    /// failure.
    public func process(_ response: Response) -> Response {
        switch response {
        case .success(let entity): processEntity(entity)
        case .failure(let error): transformsErrors ? processError(error) : response
        }
    }

    /// A string that names the input type and the output type.
    public var debugDescription: String { "\(InputContentType.self) → \(OutputContentType.self)" }

    private func processEntity(_ entity: Entity<Any>) -> Response {
        guard let input: Entity<InputContentType> = entity.withContentRetyped() else { return processMismatch(entity) }
        do {
            guard let output = try processor(input) else {
                return fail(RequestError.Cause.TransformerReturnedNil(transformer: self), entity)
            }
            return logTransformation(.success(entity.withContent(output)))
        } catch let error as RequestError {
            return logTransformation(.failure(error))
        } catch {
            return fail(error, entity)
        }
    }

    private func processMismatch(_ entity: Entity<Any>) -> Response {
        guard mismatch.skips(entity) else {
            return fail(
                RequestError.Cause.WrongInputTypeInTranformerPipeline(
                    expectedType: InputContentType.self, actualType: type(of: entity.content), transformer: self),
                entity)
        }
        SiestaLog.log(.pipeline, ["  ├╴Skipped", debugDescription, "for", type(of: entity.content)])
        return .success(entity)
    }

    private func processError(_ error: RequestError) -> Response {
        guard let entity = error.entity, case .success(let converted) = processEntity(entity) else {
            return .failure(error)
        }
        var error = error
        error.entity = converted
        return .failure(error)
    }

    private func fail(_ cause: any Error, _ entity: Entity<Any>) -> Response {
        let message = UserMessages.current.cannotParseResponse
        return logTransformation(.failure(RequestError(userMessage: message, cause: cause, entity: entity)))
    }
}
