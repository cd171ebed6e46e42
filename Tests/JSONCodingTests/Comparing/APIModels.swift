import Foundation

/// Structures for the documents that imitate public APIs.
enum APIModels {
    enum Visibility: String, Decodable { case `public`, `private`, `internal` }

    struct Owner: Decodable {
        var login: String
        var id: Int
        var siteAdmin: Bool?
        var type: String?
    }

    struct License: Decodable {
        var key: String
        var url: URL?
    }

    struct Repository: Decodable {
        var id: Int
        var name: String
        var fullName: String?
        var `private`: Bool
        var owner: Owner
        var description: String?
        var fork: Bool
        var size: UInt32?
        var score: Float?
        var topics: Set<String>?
        var createdAt: Date?
        var license: License?
        var visibility: Visibility?
        var permissions: Maybe<[Permission: Maybe<Bool>]>?
    }

    /// Keys of a dictionary that are an enumeration.
    enum Permission: String, Decodable, CodingKeyRepresentable { case admin, push, pull }

    struct Tweet: Decodable {
        struct Tag: Decodable {
            var text: String
            var indices: [Int8]
        }
        struct Entities: Decodable {
            var urls: [URL]
            var hashtags: [Tag]
        }

        var id: UInt64
        var text: String
        var entities: Entities
        var coordinates: Point?
        var geo: Point?

        private enum CodingKeys: String, CodingKey { case text, geo, id, coordinates, entities }
    }

    /// Two or three numbers in an array.
    struct Point: Decodable {
        var longitude, latitude: Double
        var altitude: Double?

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            longitude = try container.decode(Double.self)
            latitude = try container.decode(Double.self)
            altitude = container.isAtEnd ? nil : try container.decode(Double.self)
        }
    }

    struct FeatureCollection: Decodable {
        struct Feature: Decodable {
            var geometry: Geometry?
            var properties: [String: Loose]?
        }
        var type: String
        var features: [Feature]
    }

    /// The key `type` decides how the coordinates are decoded.
    enum Geometry: Decodable {
        case point(Point)
        case line([Point])
        case polygon([[Point]])
        case collection([Geometry])

        private enum CodingKeys: CodingKey { case type, coordinates, geometries }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            switch try container.decode(String.self, forKey: .type) {
            case "Point": self = .point(try container.decode(Point.self, forKey: .coordinates))
            case "LineString": self = .line(try container.decode([Point].self, forKey: .coordinates))
            case "Polygon": self = .polygon(try container.decode([[Point]].self, forKey: .coordinates))
            case "GeometryCollection":
                self = .collection(try container.decode([Geometry].self, forKey: .geometries))
            default:
                throw DecodingError.dataCorruptedError(forKey: .type, in: container, debugDescription: "No geometry")
            }
        }
    }

    /// A page of a list, as payment APIs return it.
    struct Page<Element: Decodable>: Decodable {
        var object: String
        var hasMore: Bool?
        @Lossless var data: [Element]
        @Defaulted var totalCount: Int
    }

    struct Charge: Decodable {
        var id: String
        var amount: Decimal
        var created: Date?
        var metadata: [String: String]?
        var paid: Bool
        var customer: Expandable<Owner>?
        @Defaulted var balance: Double
        @Defaulted var amountCaptured: UInt8
    }

    /// An identifier, or the whole object.
    enum Expandable<Value: Decodable>: Decodable {
        case identifier(String)
        case value(Value)

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self = .identifier(text)
            } else {
                self = .value(try Value(from: decoder))
            }
        }
    }

    struct Weather: Decodable {
        struct Coordinate: Decodable { var lon, lat: Float }
        struct Main: Decodable {
            var temp: Double
            var feelsLike: Decimal?
            var humidity: UInt8
        }
        var coord: Coordinate
        var main: Main
        var dt: Date?
        var timezone: Int16
        var cod: Loose
    }
}
