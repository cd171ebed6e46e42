package import Foundation
import SiestaJSON

/// The stored form is the JSON array `[version, change]`; without the change for an empty delta. A change is one of
///
/// ```text
/// ["=", value]   ["+", value]   ["-"]   ["m", {name: change}]
/// ["e", name, [removed ids], [[id, change]], [[id, [previous], [next], value]]]
/// ```
///
/// where a missing neighbour is `[]`, and a moved element has no value.
extension JSONDelta {
    /// The version of the stored form. Other versions are rejected.
    private static let version: JSONValue = 1

    /// The depth of the stored form is at most three times ``depthLimit``, and the depth of a value.
    private static let storedDepth = 3 * depthLimit + JSONValue.maximumDepth + 8

    /// Reads the stored form.
    ///
    /// - Throws: An error for a text that is no JSON, or a `DecodingError` for JSON that is no delta of this version.
    package init(parsing data: Data) throws {
        try self.init(stored: JSONValue(parsing: data, maximumDepth: Self.storedDepth))
    }

    /// The stored form, with exact numbers. Equal deltas have equal forms.
    package var data: Data { stored.data }

    private var stored: JSONValue { .array([Self.version] + (change.map { [$0.stored] } ?? [])) }

    private init(stored: JSONValue) throws {
        let parts = stored.elements ?? []
        let change = parts.count == 2 ? Change(stored: parts[1]) : nil
        guard parts.first == Self.version, parts.count == 1 || change != nil else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "This is no JSON delta of a known version."))
        }
        self.init(change: change)
    }
}

extension JSONDelta.Change {
    fileprivate var stored: JSONValue {
        switch self {
        case .set(let value): ["=", value]
        case .add(let value): ["+", value]
        case .remove: ["-"]
        case .members(let changes): ["m", .object(changes.mapValues(\.stored))]
        case .elements(let elements): .array(["e"] + elements.stored)
        }
    }

    fileprivate init?(stored: JSONValue) {
        guard let parts = stored.elements, let kind = parts.first?.text else { return nil }
        switch (kind, parts.count) {
        case ("=", 2): self = .set(parts[1])
        case ("+", 2): self = .add(parts[1])
        case ("-", 1): self = .remove
        case ("m", 2):
            guard let members = parts[1].members else { return nil }
            let changes = members.compactMapValues { Self(stored: $0) }
            guard changes.count == members.count else { return nil }
            self = .members(changes)
        case ("e", 5):
            guard let elements = JSONDelta.Elements(stored: parts) else { return nil }
            self = .elements(elements)
        default: return nil
        }
    }
}

extension JSONDelta.Elements {
    fileprivate var stored: [JSONValue] {
        [
            .string(name), .array(removed.sorted { $0.description < $1.description }),
            .array(
                changed.map { ($0.key.description, [$0.key, $0.value.stored]) }
                    .sorted { $0.0 < $1.0 }.map { .array($0.1) }),
            .array(placed.map(\.stored)),
        ]
    }

    fileprivate init?(stored: [JSONValue]) {
        guard let name = stored[1].text, let removed = stored[2].elements, let changed = stored[3].elements,
            let placed = stored[4].elements
        else { return nil }
        let changes = changed.compactMap { pair -> (JSONValue, JSONDelta.Change)? in
            guard let parts = pair.elements, parts.count == 2 else { return nil }
            return JSONDelta.Change(stored: parts[1]).map { (parts[0], $0) }
        }
        self.name = name
        self.removed = Set(removed)
        self.changed = Dictionary(changes) { $1 }
        self.placed = placed.compactMap(Placement.init(stored:))
        guard self.changed.count == changed.count, self.placed.count == placed.count,
            Set(self.placed.map(\.id)).count == placed.count
        else { return nil }
    }
}

extension JSONDelta.Elements.Placement {
    fileprivate var stored: JSONValue {
        .array([id, .array(previous.map { [$0] } ?? []), .array(next.map { [$0] } ?? [])] + (value.map { [$0] } ?? []))
    }

    fileprivate init?(stored: JSONValue) {
        guard let parts = stored.elements, 3...4 ~= parts.count, let previous = parts[1].elements,
            let next = parts[2].elements
        else { return nil }
        self.init(
            id: parts[0], previous: previous.first, next: next.first, value: parts.count == 4 ? parts[3] : nil)
    }
}
