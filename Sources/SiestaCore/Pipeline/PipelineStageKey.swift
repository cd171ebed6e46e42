/// The key of one stage of a ``Pipeline``.
///
/// Two keys are equal only if they are the same object. For each stage that you add, create one key, and store it in a
/// constant:
///
///     extension PipelineStageKey {
///         static let decryption = PipelineStageKey(description: "decryption")
///     }
public final class PipelineStageKey: Hashable, CustomStringConvertible, Sendable {
    /// The name of the stage in logs.
    public let description: String

    /// Creates a new key. `description` is the name of the stage in logs, and need not be unique.
    public init(description: String) {
        self.description = description
    }

    /// The stage that runs before all other stages, on the body as it was received.
    public static let rawData = PipelineStageKey(description: "rawData")
    /// The stage that converts bytes to other bytes, for example by decryption or decompression.
    public static let decoding = PipelineStageKey(description: "decoding")
    /// The stage that converts bytes to a general structure, such as JSON, text or an image. This stage contains the
    /// standard transformers.
    public static let parsing = PipelineStageKey(description: "parsing")
    /// The stage that converts a general structure to types of the app. This is the default stage of
    /// `configureTransformer`.
    public static let model = PipelineStageKey(description: "model")
    /// The last stage, for corrections to the content or the error.
    public static let cleanup = PipelineStageKey(description: "cleanup")

    /// Returns true if both keys are the same object.
    public static func == (left: PipelineStageKey, right: PipelineStageKey) -> Bool { left === right }

    /// Hashes the identity of the key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
