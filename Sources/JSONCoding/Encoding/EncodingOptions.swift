#if os(Linux) || os(Android)
import Foundation

/// The strategies of a `JSONEncoder`.
struct EncodingOptions {
    let escapesSlashes: Bool
    let sortsKeys: Bool
    let convertsToSnakeCase: Bool
    let dates: JSONEncoder.DateEncodingStrategy
    let data: JSONEncoder.DataEncodingStrategy
    let floats: JSONEncoder.NonConformingFloatEncodingStrategy
    let userInfo: [CodingUserInfoKey: Any]

    /// Reads the strategies of an encoder. Returns nil if the encoder must encode by itself.
    init?(_ encoder: JSONEncoder) {
        guard type(of: encoder) == JSONEncoder.self else { return nil }
        let formatting = encoder.outputFormatting
        guard formatting.isSubset(of: [.sortedKeys, .withoutEscapingSlashes]) else { return nil }
        switch encoder.keyEncodingStrategy {
        case .useDefaultKeys: convertsToSnakeCase = false
        case .convertToSnakeCase: convertsToSnakeCase = true
        default: return nil
        }
        escapesSlashes = !formatting.contains(.withoutEscapingSlashes)
        sortsKeys = formatting.contains(.sortedKeys)
        dates = encoder.dateEncodingStrategy
        data = encoder.dataEncodingStrategy
        floats = encoder.nonConformingFloatEncodingStrategy
        userInfo = encoder.userInfo
    }
}
#endif
