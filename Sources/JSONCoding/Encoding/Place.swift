#if os(Linux) || os(Android)
/// A frame of a document, for its encoder or container. Stays safe to use after the frame is finished.
struct Place {
    /// The number of no frame.
    static let none = -2

    let document: OutputDocument
    /// The position of the frame in the stack.
    let depth: Int
    let serial: Int

    @inline(__always) var text: OutputText { document.text }

    @inline(__always)
    private var exists: Bool { depth < document.frames.count && document.frames[depth].serial == serial }

    /// Makes this the last frame: finishes all frames that are parts of it. Returns false if the frame itself is
    /// finished. The document is doubtful then.
    @inline(__always)
    func focus() -> Bool { document.current == serial || finishParts() }

    @inline(never)
    private func finishParts() -> Bool {
        guard !document.isDoubtful, exists else {
            document.doubt()
            return false
        }
        document.close(to: depth + 1)
        return document.current == serial
    }

    /// Begins the value of a place. Returns false if there is one already.
    @inline(__always)
    func beginValue() -> Bool {
        guard focus(), document.frames[depth].count == 0 else {
            document.doubt()
            return false
        }
        document.frames[depth].count = 1
        return true
    }

    /// Begins the next element of an array.
    @inline(__always)
    func beginElement() -> Bool {
        guard focus() else { return false }
        if document.frames[depth].count > 0 { text.append(UInt8(ascii: ",")) }
        document.frames[depth].count &+= 1
        return true
    }

    /// Begins the next value of an object. Returns false if the object has this key already.
    @inline(__always)
    func beginValue(_ key: some CodingKey) -> Bool {
        guard document.options.convertsToSnakeCase else { return beginValue(name: key.stringValue) }
        guard let name = SnakeCase.snakeCase(key.stringValue) else {
            document.doubt()
            return false
        }
        return beginValue(name: name)
    }

    /// Begins the next value of an object, with a key that is not converted.
    func beginValue(name: String) -> Bool {
        guard focus() else { return false }
        if document.frames[depth].count > 0 { text.append(UInt8(ascii: ",")) }
        document.frames[depth].count &+= 1
        guard document.keys.add(name, to: &document.frames[depth], at: text.count) else {
            document.doubt()
            return false
        }
        text.append(name)
        text.append(UInt8(ascii: ":"))
        return true
    }

    /// Returns the container of a place. Begins one if the place is empty.
    func container(_ kind: Frame.Kind) -> Place {
        if document.current == serial, document.frames[depth].count == 0 {
            document.frames[depth].count = 1
            return document.push(kind, nil)
        }
        let next = depth + 1
        if !document.isDoubtful, exists, next < document.frames.count, document.frames[next].kind == kind {
            return Place(document: document, depth: next, serial: document.frames[next].serial)
        }
        return doubtful()
    }

    /// Begins a part of this frame, after its key.
    func part(_ kind: Frame.Kind, _ key: any CodingKey, _ hasBegun: Bool) -> Place {
        hasBegun ? document.push(kind, key) : doubtful()
    }

    /// The number of elements of an array. Makes the document doubtful if the array is finished.
    @inline(__always)
    var elementCount: Int {
        guard exists else {
            document.doubt()
            return 0
        }
        return document.frames[depth].count
    }

    func doubtful() -> Place {
        document.doubt()
        return Place(document: document, depth: depth, serial: Place.none)
    }
}

extension Place {
    /// The path of an encoder: the keys of all values that contain it, without those of nested containers.
    var encoderPath: [any CodingKey] {
        if !exists { document.doubt() }
        return encoderPath(to: depth)
    }

    /// The path of a container: that of its encoder, and the keys of the nested containers that contain it.
    var containerPath: [any CodingKey] {
        if !exists { document.doubt() }
        let end = min(depth + 1, document.frames.count)
        let encoder = (0..<end).last { document.frames[$0].kind == .value } ?? 0
        return encoderPath(to: encoder) + document.pathKeys[min(encoder + 1, end)..<end].compactMap(\.self)
    }

    private func encoderPath(to depth: Int) -> [any CodingKey] {
        (0..<min(depth + 1, document.frames.count)).compactMap {
            document.frames[$0].kind == .value ? document.pathKeys[$0] : nil
        }
    }
}
#endif
