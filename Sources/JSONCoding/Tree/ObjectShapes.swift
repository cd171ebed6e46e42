#if os(Linux) || os(Android)
/// The lists of keys that the objects of a document have. Many objects have the same keys in the same order. A copy
/// of a dictionary with these keys costs less than a new dictionary.
struct ObjectShapes {
    /// An object of a shape, and the positions of its keys in it, in the order of the object's pairs.
    struct Template {
        let values: [String: Any]
        let positions: [Dictionary<String, Any>.Index]
    }

    private struct Shape {
        let firstPair: Int
        let count: Int
        /// The first object of this shape.
        let first: [String: Any]
        var template: Template?
    }

    /// The number of shapes that are compared with an object.
    private static let compared = 16
    private static let maximumCount = 64

    private var shapes: [Shape] = []

    /// Returns the position of the shape of an object, or nil if it is new.
    func find(_ firstPair: Int, _ count: Int, _ keys: borrowing CheckedBuffer<UInt32>) -> Int? {
        for index in shapes.indices.suffix(ObjectShapes.compared).reversed() where shapes[index].count == count {
            if keys.isEqual(at: shapes[index].firstPair, to: firstPair, length: count) { return index }
        }
        return nil
    }

    /// Records the shape of an object, which becomes the template of the next objects.
    mutating func add(_ firstPair: Int, _ object: [String: Any]) {
        if shapes.count >= ObjectShapes.maximumCount { shapes.removeFirst(ObjectShapes.maximumCount / 2) }
        shapes.append(Shape(firstPair: firstPair, count: object.count, first: object))
    }

    /// Returns the template of a shape. `name` returns the key of a pair.
    mutating func template(_ index: Int, _ name: (Int) -> String) -> Template {
        let shape = shapes[index]
        if let template = shape.template { return template }
        var positions: [Dictionary<String, Any>.Index] = []
        positions.reserveCapacity(shape.count)
        for pair in shape.firstPair..<shape.firstPair + shape.count {
            if let position = shape.first.index(forKey: name(pair)) { positions.append(position) }
        }
        let template = Template(values: shape.first, positions: positions)
        shapes[index].template = template
        return template
    }
}
#endif
