/// Names one stage of a ``Pipeline``.
///
/// Keys are equal only if they are the same object: a stage of your own needs one key, kept in a constant.
///
///     extension PipelineStageKey {
///         static let decryption = PipelineStageKey(description: "decryption")
///     }
public final class PipelineStageKey: Hashable, CustomStringConvertible, Sendable {
    /// The name for logs.
    public let description: String

    /// Creates a new key; `description` is for logs and need not be unique.
    public init(description: String) {
        self.description = description
    }

    /// The body as it came, before any transformer.
    public static let rawData = PipelineStageKey(description: "rawData")
    /// Bytes to bytes: decryption, decompression.
    public static let decoding = PipelineStageKey(description: "decoding")
    /// Bytes to a general structure: JSON, text, image. The standard transformers are here.
    public static let parsing = PipelineStageKey(description: "parsing")
    /// A general structure to the app's own types. The default of `configureTransformer`.
    public static let model = PipelineStageKey(description: "model")
    /// Last corrections, also of errors.
    public static let cleanup = PipelineStageKey(description: "cleanup")

    /// Whether both are the same key.
    public static func == (left: PipelineStageKey, right: PipelineStageKey) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
