#if os(Linux) || os(Android)
/// The lists of keys that the objects of a document have. Many objects have the same keys in the same order. The keys are
/// hashed once for all of them, because `mapValues` of a dictionary keeps the places of its keys.
struct ObjectShapes {
    private struct Shape {
        let firstPair: Int
        let count: Int
        /// The positions of the pairs in an object of this shape, by their keys; nil until an object is made from them.
        var positions: [String: Int]?
    }

    /// The number of keys above which an object has no shape, so that shapes stay small.
    static let maximumKeyCount = 1024
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

    /// Adds the shape of an object, whose keys must differ. Returns its position.
    mutating func add(_ firstPair: Int, _ count: Int) -> Int {
        if shapes.count >= ObjectShapes.maximumCount { shapes.removeFirst(ObjectShapes.maximumCount / 2) }
        shapes.append(Shape(firstPair: firstPair, count: count))
        return shapes.count - 1
    }

    /// Returns the positions of the pairs in an object of a shape, by their keys. `name` returns the key of a pair.
    mutating func positions(_ index: Int, _ name: (Int) -> String) -> [String: Int] {
        let shape = shapes[index]
        if let positions = shape.positions { return positions }
        var positions: [String: Int] = Dictionary(minimumCapacity: shape.count)
        for position in 0..<shape.count { positions[name(shape.firstPair + position)] = position }
        shapes[index].positions = positions
        return positions
    }
}
#endif
