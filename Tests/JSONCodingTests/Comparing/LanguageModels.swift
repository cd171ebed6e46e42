import Foundation

/// Types that use one feature of Codable each.
enum LanguageModels {
    enum Level: Int, Decodable, CodingKeyRepresentable { case low = 1, middle, high }

    /// An enumeration whose dictionaries are arrays of keys and values, because it is not `CodingKeyRepresentable`.
    enum Plain: String, Decodable { case a, b, c }

    enum Event: Decodable {
        case push(size: Int, ref: String?)
        case fork(Item)
        case pair(Int, String)
        case watch
    }

    class Animal: Decodable {
        let id: Int
        let name: String?
    }

    final class Dog: Animal {
        let value: Double?

        private enum CodingKeys: CodingKey { case value, animal }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            value = try container.decodeIfPresent(Double.self, forKey: .value)
            try super.init(from: container.contains(.animal) ? container.superDecoder(forKey: .animal) : decoder)
        }
    }

    final class Cat: Animal {
        let userName: String?

        private enum CodingKeys: CodingKey { case userName }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            userName = try container.decodeIfPresent(String.self, forKey: .userName)
            try super.init(from: container.superDecoder())
        }
    }

    /// Elements of several types, each of which is read from the decoder of the previous one.
    struct Mixed: Decodable {
        var values: [String] = []

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd {
                if let value = try? container.decode(Level.self) {
                    values.append("\(value)")
                } else if let value = try? container.decode(UUID.self) {
                    values.append("\(value)")
                } else if var nested = try? container.nestedUnkeyedContainer() {
                    values.append("\((try? nested.decode(Int.self)) ?? -1) \(nested.codingPath.count)")
                } else if let nested = try? container.nestedContainer(keyedBy: AnyKey.self) {
                    values.append("\(nested.allKeys.map(\.stringValue).sorted())")
                } else {
                    values.append("\(try container.superDecoder().codingPath)")
                }
            }
        }
    }

    /// Reads each value twice, from the last key to the first one.
    struct Twice: Decodable {
        var values: [String] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            let again = try decoder.container(keyedBy: AnyKey.self)
            let keys = container.allKeys.sorted { $0.stringValue.utf8.lexicographicallyPrecedes($1.stringValue.utf8) }
            for key in keys.reversed() + keys {
                let number = try? container.decode(Int.self, forKey: key)
                values.append("\(key.stringValue) \(String(describing: number))")
                values.append("\(try again.decode(Loose.self, forKey: key))")
            }
        }
    }

    struct Numbers: Decodable {
        var small: [Int8]?
        var medium: [UInt16]?
        var large: [UInt128]?
        var signed: [Int128]?
        var half: [Float16]?
        var single: [Float]?
        var exact: [Decimal]?
        var optional: [Double?]?
        var range: ClosedRange<Int>?
        var set: Set<Int32>?
    }

    struct Everything: Decodable {
        var url: URL?
        var data: Data?
        var date: Date?
        var uuid: UUID?
        var dates: [Date?]?
        var levels: Maybe<[Level: Maybe<Int>]>?
        var plain: Maybe<[Plain: Maybe<Int>]>?
        var numbers: Maybe<[Int: Maybe<String>]>?
        var nested: [[String: Maybe<Bool>]]?
        var event: Event?
        var dog: Dog?
        var cat: Cat?
        var twice: Twice?
        var mixed: Mixed?
        var either: Either<[Int], [String: Maybe<Int>]>?
    }

    /// One of two types. If both fail, the errors of both are part of the error.
    enum Either<First: Decodable, Second: Decodable>: Decodable {
        case first(First)
        case second(Second)

        init(from decoder: any Decoder) throws {
            do {
                self = .first(try First(from: decoder))
            } catch let first {
                do {
                    self = .second(try Second(from: decoder))
                } catch {
                    let text = "\(Transcript.text(error: first)) \(Transcript.text(error: error))"
                    throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
                }
            }
        }
    }
}
