#if os(Linux) || os(Android)
extension Place {
    /// The number of elements of an array. Makes the document doubtful if the array is finished.
    var elementCount: Int { exists ? document.frames[depth].count : document.lost[lostIndex].count }

    /// Counts an element that is not written.
    @inline(never)
    func countLate() {
        if exists { setCount(document.frames[depth].count + 1) } else { document.lost[lostIndex].count += 1 }
    }

    /// Returns a part of this place that writes nothing, and makes the document doubtful.
    func lost(_ kind: Frame.Kind, _ key: (any CodingKey)?) -> Place {
        document.doubt()
        return document.lose(kind, key, depth: depth, serial: serial)
    }

    /// The position of the lost part with the number of this place.
    private var lostIndex: Int {
        document.doubt()
        if let index = document.lost.lastIndex(where: { $0.serial == serial }) { return index }
        // Its user kept it after the frame that contains it. The keys of that frame are not known any more.
        document.lost.append(
            LostPart(kind: .value, serial: serial, key: ElementKey.name(""), parentDepth: depth - 1, parentSerial: 0))
        return document.lost.count - 1
    }

    /// The path of an encoder: the keys of all values that contain it, without those of nested containers.
    var encoderPath: [any CodingKey] { Place.encoderPath(chain[...]) }

    /// The path of a container: that of its encoder, and the keys of the nested containers that contain it.
    var containerPath: [any CodingKey] {
        let chain = chain
        let end = chain.lastIndex { $0.kind == .value }.map { $0 + 1 } ?? 0
        return Place.encoderPath(chain[..<end]) + chain[end...].compactMap(\.key)
    }

    private static func encoderPath(_ chain: ArraySlice<(kind: Frame.Kind, key: (any CodingKey)?)>) -> [any CodingKey] {
        chain.compactMap { $0.kind == .value ? $0.key : nil }
    }

    /// The parts from the whole document to this one.
    private var chain: [(kind: Frame.Kind, key: (any CodingKey)?)] {
        var (place, parts) = (self, [] as [(kind: Frame.Kind, key: (any CodingKey)?)])
        while place.depth >= 0, place.serial > 0, !place.exists {
            let part = document.lost[place.lostIndex]
            parts.append((part.kind, part.key))
            place = Place(document: document, depth: part.parentDepth, serial: part.parentSerial)
        }
        let frames = 0..<min(place.depth + 1, document.frames.count)
        return frames.map { (document.frames[$0].kind, document.pathKeys[$0]) } + parts.reversed()
    }
}
#endif
