#if os(Linux) || os(Android)
import Foundation

/// The strategies of a `JSONDecoder`.
struct DecodingOptions {
    let convertsFromSnakeCase: Bool
    let dates: JSONDecoder.DateDecodingStrategy
    let data: JSONDecoder.DataDecodingStrategy
    let floats: JSONDecoder.NonConformingFloatDecodingStrategy
    let userInfo: [CodingUserInfoKey: Any]

    /// Reads the strategies of a decoder. Returns nil if the decoder must decode by itself.
    init?(_ decoder: JSONDecoder) {
        guard type(of: decoder) == JSONDecoder.self else { return nil }
        guard !decoder.allowsJSON5, !decoder.assumesTopLevelDictionary else { return nil }
        switch decoder.keyDecodingStrategy {
        case .useDefaultKeys: convertsFromSnakeCase = false
        case .convertFromSnakeCase: convertsFromSnakeCase = true
        default: return nil
        }
        dates = decoder.dateDecodingStrategy
        data = decoder.dataDecodingStrategy
        floats = decoder.nonConformingFloatDecodingStrategy
        userInfo = decoder.userInfo
    }
}
#endif
