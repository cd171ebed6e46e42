#if os(Linux) || os(Android)
/// A frame of a document, for its encoder or container. Stays safe to use after the frame is finished.
struct Place {
    let document: OutputDocument
    /// The position of the frame in the stack.
    let depth: Int
    let serial: Int

    @inline(__always) var text: OutputText { document.text }

    @inline(__always)
    var exists: Bool { depth < document.frames.count && document.frames[depth].serial == serial }

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
        setCount(1)
        return true
    }

    @inline(__always)
    func setCount(_ count: Int) {
        var frame = document.frames[depth]
        frame.count = count
        document.frames.set(frame, at: depth)
    }

    /// Begins the next element of an array.
    @inline(__always)
    func beginElement() -> Bool {
        guard focus() else {
            countLate()
            return false
        }
        let count = document.frames[depth].count
        if count > 0 { text.append(UInt8(ascii: ",")) }
        setCount(count &+ 1)
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
        var frame = document.frames[depth]
        if frame.count > 0 { text.append(UInt8(ascii: ",")) }
        frame.count &+= 1
        guard document.keys.add(name, to: &frame, at: text.count) else {
            document.doubt()
            return false
        }
        document.frames.set(frame, at: depth)
        text.append(name)
        text.append(UInt8(ascii: ":"))
        return true
    }

    /// Returns the container of a place. Begins one if the place is empty.
    func container(_ kind: Frame.Kind) -> Place {
        if document.current == serial, document.frames[depth].count == 0 {
            setCount(1)
            return document.push(kind, nil)
        }
        let next = depth + 1
        if exists, next < document.frames.count, document.frames[next].kind == kind {
            return Place(document: document, depth: next, serial: document.frames[next].serial)
        }
        return lost(kind, nil)
    }

    /// Begins a part of this frame, after its key.
    func part(_ kind: Frame.Kind, _ key: any CodingKey, _ hasBegun: Bool) -> Place {
        guard hasBegun else { return lost(kind, key) }
        let part = document.push(kind, key)
        if part.exists {
            var frame = document.frames[part.depth]
            frame.isPart = true
            document.frames.set(frame, at: part.depth)
        }
        return part
    }
}
#endif
