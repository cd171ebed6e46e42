import Foundation

/// The types that documents are decoded as.
enum Models {
    /// Compares the results of one decoding.
    typealias Comparison = @Sendable (Data, UInt64) -> String?

    /// All types that are not probes.
    static let all: [Comparison] = [
        comparison(APIModels.Repository.self), comparison([APIModels.Repository].self),
        comparison(APIModels.Tweet.self), comparison(APIModels.FeatureCollection.self),
        comparison(APIModels.Page<APIModels.Charge>.self), comparison(APIModels.Weather.self),
        comparison(APIModels.Page<APIModels.Expandable<Item>>.self),
        comparison(LanguageModels.Numbers.self), comparison(LanguageModels.Everything.self),
        comparison([LanguageModels.Event].self), comparison([LanguageModels.Dog].self),
        comparison([LanguageModels.Cat].self), comparison([LanguageModels.Twice].self),
        comparison(LanguageModels.Mixed.self), comparison(Wide.self), comparison([Wide].self),
        comparison(Deep.self), comparison(Maybe<[Int: Maybe<Item>]>.self),
    ]

    private static func comparison<T: Decodable & SendableMetatype>(_ type: T.Type) -> Comparison {
        { Differential.decodeDifference(type, $0, seed: $1) { [Transcript.text(reflecting: $0)] } }
    }
}

/// Reads all values of an object with many keys, in an order of its own.
struct Wide: Decodable {
    var values: [String] = []

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        var random = SplitMix(seed: UInt64(container.allKeys.count))
        values.append("\(container.allKeys.count)")
        for number in (0..<90).shuffled(using: &random).prefix(30) {
            let key = AnyKey(stringValue: "key\(number)")
            values.append("\(String(describing: try container.decodeIfPresent(Loose.self, forKey: key)))")
        }
    }
}

/// Follows arrays and objects inward.
final class Deep: Decodable {
    let depth: Int

    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            depth = list.isAtEnd ? 0 : 1 + (try list.decode(Deep.self)).depth
        } else if let object = try? decoder.container(keyedBy: AnyKey.self) {
            let inner = try object.decodeIfPresent(Deep.self, forKey: AnyKey(stringValue: "a"))
            depth = 1000 + (inner?.depth ?? 0)
        } else {
            depth = try decoder.singleValueContainer().decode(Int.self)
        }
    }
}
