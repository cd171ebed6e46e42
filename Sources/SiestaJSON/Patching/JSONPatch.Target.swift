extension JSONPatch {
    /// A value to which the operations of a patch are applied. After an error, the value is undefined.
    struct Target {
        private(set) var value: JSONValue
        private(set) var copies: JSONPatch.Copies
        /// The values that were moved so far.
        private var moves = 0

        init(value: JSONValue, copies: JSONPatch.Copies) { (self.value, self.copies) = (value, copies) }
    }
}

extension JSONPatch.Target {
    private typealias Reason = JSONPatch.Failure.Reason

    mutating func apply(_ operation: JSONPatch.Operation) throws {
        switch operation {
        case .add(let path, let added): try add(added, at: path)
        case .remove(let path): _ = try remove(at: path)
        case .replace(let path, let replacement): try replace(replacement, at: path)
        case .move(let source, let path): try move(from: source, to: path)
        case .copy(let source, let path): try copy(from: source, to: path)
        case .test(let path, let expected):
            guard try existing(at: path) == expected else { throw Reason.testFailed }
        }
    }

    private func existing(at path: JSONPointer) throws -> JSONValue {
        guard let value = value[path] else { throw Reason.missingTarget }
        return value
    }

    private mutating func replace(_ replacement: JSONValue, at path: JSONPointer) throws {
        _ = try existing(at: path)
        try checkDepth(of: replacement, at: path)
        guard !path.tokens.isEmpty else { return value = replacement }
        try value.change(at: path.tokens[...]) { parent, token in
            guard case .array(var elements) = parent, let index = JSONPointer.index(token) else {
                return parent[token] = replacement
            }
            parent = .null
            elements[index] = replacement
            parent = .array(elements)
        }
    }

    private func checkDepth(of added: JSONValue, at path: JSONPointer) throws {
        guard path.tokens.count + added.depth <= JSONValue.maximumDepth else { throw Reason.tooLarge }
    }

    private mutating func countMoves(_ count: Int) throws {
        moves += count
        guard moves <= JSONPatch.moveLimit else { throw Reason.tooLarge }
    }

    private mutating func move(from source: JSONPointer, to path: JSONPointer) throws {
        guard source != path else { return _ = try existing(at: path) }
        guard !path.tokens.starts(with: source.tokens) else { throw Reason.impossible }
        let value = try remove(at: source)
        try countMoves(value.count)
        try add(value, at: path)
    }

    private mutating func copy(from source: JSONPointer, to path: JSONPointer) throws {
        let value = try existing(at: source)
        try copies.add(value)
        try add(value, at: path)
    }

    private mutating func add(_ added: JSONValue, at path: JSONPointer) throws {
        try checkDepth(of: added, at: path)
        guard !path.tokens.isEmpty else { return value = added }
        var moved = 0
        try value.change(at: path.tokens[...]) { parent, token in
            guard case .array(var elements) = parent else {
                guard parent.members != nil else { throw Reason.missingTarget }
                return parent[token] = added
            }
            let index = token == "-" ? elements.count : JSONPointer.index(token) ?? -1
            guard 0...elements.count ~= index else { throw Reason.missingTarget }
            parent = .null
            moved = elements.count - index
            elements.insert(added, at: index)
            parent = .array(elements)
        }
        try countMoves(moved)
    }

    private mutating func remove(at path: JSONPointer) throws -> JSONValue {
        guard !path.tokens.isEmpty else { throw Reason.impossible }
        let removed = try existing(at: path)
        var moved = 0
        try value.change(at: path.tokens[...]) { parent, token in
            guard case .array(var elements) = parent, let index = JSONPointer.index(token) else {
                return parent[token] = nil
            }
            parent = .null
            elements.remove(at: index)
            moved = elements.count - index
            parent = .array(elements)
        }
        try countMoves(moved)
        return removed
    }
}

extension JSONValue {
    /// Changes the array or object that contains the value at a path. The parts on the path are changed in place.
    fileprivate mutating func change(
        at path: ArraySlice<String>, _ change: (inout JSONValue, String) throws -> Void
    ) throws {
        guard let token = path.first else { return }
        guard path.count > 1 else { return try change(&self, token) }
        if var elements = takeElements() {
            guard let index = JSONPointer.index(token), elements.indices.contains(index) else {
                throw JSONPatch.Failure.Reason.missingTarget
            }
            try elements[index].change(at: path.dropFirst(), change)
            self = .array(elements)
        } else {
            guard var members = takeMembers(), let index = members.index(forKey: token) else {
                throw JSONPatch.Failure.Reason.missingTarget
            }
            try members.values[index].change(at: path.dropFirst(), change)
            self = .object(members)
        }
    }

    // The parts of a value move out in functions, because a `switch` with a `var` would keep a second reference to them. Then
    // each operation would copy all that it changes.

    private mutating func takeElements() -> [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        self = .null
        return elements
    }

    private mutating func takeMembers() -> [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        self = .null
        return members
    }
}
