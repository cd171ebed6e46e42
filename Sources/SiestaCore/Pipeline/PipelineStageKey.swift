/// The key of one stage of a ``Pipeline``.
///
/// Two keys are equal only if they are the same object. Create one key for each stage that you add, and store it in a
/// constant:
///
///     extension PipelineStageKey {
///         static let decryption = PipelineStageKey(description: "decryption")
///     }
public final class PipelineStageKey: Hashable, CustomStringConvertible, Sendable {
    /// The name for logs.
    public let description: String

    /// Creates a new key. `description` is for logs and need not be unique.
    public init(description: String) {
        self.description = description
    }

    /// The stage that runs before all other stages, on the body as it was received.
    public static let rawData = PipelineStageKey(description: "rawData")
    /// The stage that converts bytes to bytes: decryption, decompression.
    public static let decoding = PipelineStageKey(description: "decoding")
    /// The stage that converts bytes to a general structure: JSON, text, an image. It contains the standard
    /// transformers.
    public static let parsing = PipelineStageKey(description: "parsing")
    /// The stage that converts a general structure to types of the app. This is the default stage of
    /// `configureTransformer`.
    public static let model = PipelineStageKey(description: "model")
    /// The last stage, for corrections of contents and errors.
    public static let cleanup = PipelineStageKey(description: "cleanup")

    /// Returns true if both are the same object.
    public static func == (left: PipelineStageKey, right: PipelineStageKey) -> Bool { left === right }

    /// Hashes the identity of the key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
