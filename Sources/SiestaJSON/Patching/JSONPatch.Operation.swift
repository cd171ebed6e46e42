import HTTPRules

extension JSONPatch {
    /// One operation of a patch (RFC 6902 §4).
    package enum Operation: Sendable, Hashable {
        case add(JSONPointer, JSONValue)
        case remove(JSONPointer)
        case replace(JSONPointer, JSONValue)
        case move(from: JSONPointer, to: JSONPointer)
        case copy(from: JSONPointer, to: JSONPointer)
        case test(JSONPointer, JSONValue)
    }
}

extension JSONPatch.Operation {
    /// Reads an operation; nil if it is unknown or lacks a member.
    init?(_ element: JSONValue) {
        guard let name = element["op"]?.text, StreamSafety.allows(name), let path = Self.pointer("path", in: element)
        else { return nil }
        let (from, value) = (Self.pointer("from", in: element), element["value"])
        switch (name, from, value) {
        case ("add", _, let value?): self = .add(path, value)
        case ("remove", _, _): self = .remove(path)
        case ("replace", _, let value?): self = .replace(path, value)
        case ("move", let from?, _): self = .move(from: from, to: path)
        case ("copy", let from?, _): self = .copy(from: from, to: path)
        case ("test", _, let value?): self = .test(path, value)
        default: return nil
        }
    }

    private static func pointer(_ name: String, in element: JSONValue) -> JSONPointer? {
        element[name]?.text.flatMap { JSONPointer($0) }
    }
}
