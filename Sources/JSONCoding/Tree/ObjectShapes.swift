/// The lists of keys that the objects of a document have. Many objects have the same keys in the same order. A copy of a
/// dictionary with these keys costs less than a new dictionary.
struct ObjectShapes {
    /// A dictionary with the keys of a shape, and their positions in it, in the order of the object's pairs.
    struct Template {
        let values: [String: Any]
        let positions: [Dictionary<String, Any>.Index]
    }

    private struct Shape {
        let firstPair: Int
        let count: Int
        var template: Template?
    }

    /// The number of shapes that are compared with an object.
    private static let compared = 16
    private static let maximumCount = 64

    private var shapes: [Shape] = []

    /// Returns the position of the shape of an object, or nil if it is new. A new shape is recorded.
    mutating func find(_ firstPair: Int, _ count: Int, _ keys: borrowing CheckedBuffer<UInt32>) -> Int? {
        guard count > 1 else { return nil }
        for index in shapes.indices.suffix(ObjectShapes.compared).reversed() where shapes[index].count == count {
            if keys.isEqual(at: shapes[index].firstPair, to: firstPair, length: count) { return index }
        }
        if shapes.count >= ObjectShapes.maximumCount { shapes.removeFirst(ObjectShapes.maximumCount / 2) }
        shapes.append(Shape(firstPair: firstPair, count: count))
        return nil
    }

    /// Returns the template of a shape. `name` returns the key of a pair.
    mutating func template(_ index: Int, _ name: (Int) -> String) -> Template {
        let shape = shapes[index]
        if let template = shape.template { return template }
        let keys = (shape.firstPair..<shape.firstPair + shape.count).map(name)
        var values = [String: Any](minimumCapacity: shape.count)
        for key in keys { values[key] = 0 }
        let template = Template(values: values, positions: keys.compactMap { values.index(forKey: $0) })
        shapes[index].template = template
        return template
    }
}
