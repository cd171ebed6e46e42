import Foundation
import HTTPRules
import SiestaCore

/// The identities of the items of a list, in a form that can be hashed and compared on the main actor.
///
/// A server may choose the texts in an identity. A dictionary takes quadratic time for a text that ``StreamSafety`` does
/// not allow. An identity that is or contains such a text is therefore replaced by the bytes of its parts.
package enum ItemIdentity {
    /// Returns a function that returns the identity of an item.
    package static func of<Item, ID: Hashable>(_ id: @escaping (Item) -> ID) -> (Item) -> AnyHashable {
        guard mayContainText(ID.self) else { return { AnyHashable(id($0)) } }
        return { item in
            let identity = id(item)
            return isSafe(identity) ? AnyHashable(identity) : AnyHashable(bytes(of: identity))
        }
    }

    /// Returns false for the types without text that are most frequent as identities.
    package static func mayContainText(_ type: any Any.Type) -> Bool {
        !(type is any BinaryInteger.Type || type == UUID.self)
    }

    /// Returns an identity as the last component of a path; nil if it is no text, number or UUID, or if the path would lead
    /// elsewhere.
    static func pathComponent(_ identity: Any) -> String? {
        let text: String
        switch identity {
        case let identity as any RawRepresentable: return pathComponent(identity.rawValue)
        case let identity as UUID: text = identity.uuidString
        case let identity as any LosslessStringConvertible: text = identity.description
        default: return nil
        }
        return text.isEmpty || text == "." || text == ".." || text.utf8.contains(UInt8(ascii: "/")) ? nil : text
    }

    /// The maximum number of types in each other in which texts are found. Objects can refer to each other in circles.
    private static let maximumDepth = 8

    private static func isSafe(_ part: Any, depth: Int = 0) -> Bool {
        switch part {
        case let text as String: StreamSafety.allows(text)
        case let text as Substring: StreamSafety.allows(String(text))
        case let character as Character: StreamSafety.allows(String(character))
        case _ where depth == maximumDepth: true
        default: Mirror(reflecting: part).children.allSatisfy { isSafe($0.value, depth: depth + 1) }
        }
    }

    /// Returns the bytes of the texts of all parts, with their names.
    private static func bytes(of part: Any, depth: Int = 0) -> [UInt8] {
        let children = Mirror(reflecting: part).children
        guard depth < maximumDepth, !children.isEmpty, !(part is any StringProtocol) else {
            return Array("\(part)".utf8) + [0]
        }
        return children.reduce(into: []) { bytes, child in
            bytes += Array((child.label ?? "").utf8) + [0] + Self.bytes(of: child.value, depth: depth + 1)
        }
    }
}
