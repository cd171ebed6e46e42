extension RequestError.Cause {
    /// A transformer received content of the wrong type.
    public struct WrongInputTypeInTranformerPipeline: Error {
        /// The input type of the transformer.
        public let expectedType: Any.Type
        /// The type of the content that the transformer received.
        public let actualType: Any.Type
        /// The transformer that received the content.
        public let transformer: any ResponseTransformer

        public init(expectedType: Any.Type, actualType: Any.Type, transformer: any ResponseTransformer) {
            self.expectedType = expectedType
            self.actualType = actualType
            self.transformer = transformer
        }
    }

    /// A transformer returned nil.
    public struct TransformerReturnedNil: Error {
        /// The transformer that returned nil.
        public let transformer: any ResponseTransformer

        public init(transformer: any ResponseTransformer) {
            self.transformer = transformer
        }
    }
}

extension RequestError.Cause.WrongInputTypeInTranformerPipeline: CodedError {
    package var code: RequestError.Code { .invalidContent }
}

extension RequestError.Cause.TransformerReturnedNil: CodedError {
    package var code: RequestError.Code { .invalidContent }
}
