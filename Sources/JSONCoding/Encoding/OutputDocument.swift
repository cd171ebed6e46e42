#if os(Linux) || os(Android)
import Foundation

/// A document that values write in order, without a tree of values.
///
/// A value that returns to a finished part of the document makes it doubtful: Foundation allows that, and must encode.
/// A doubtful document stays as it is. Its containers accept everything, because their users may not expect an
/// error.
final class OutputDocument {
    /// The depth from which on Foundation decides. It throws an error above 512 containers.
    private static let maximumDepth = 500
    /// The number of frames from which on Foundation decides. Places inside places are no containers.
    private static let maximumFrames = 2000

    let text: OutputText
    let options: EncodingOptions
    // No code of values runs during an access to the frames or keys, so that accesses cannot overlap. Checking that at
    // run time takes a sixth of the time of an encoding.
    @exclusivity(unchecked) var frames = CheckedBuffer<Frame>(capacity: 16)
    /// The key of each frame.
    var pathKeys: [(any CodingKey)?] = []
    /// The keys of the objects that are not finished.
    @exclusivity(unchecked) var keys: KeyList
    /// The number of the last frame, or -1 if the document is doubtful or finished.
    private(set) var current = 0
    private var lastSerial = 0
    /// The nested containers that were finished, inside the frames that are not, and all containers after a doubt.
    var lost: [LostPart] = []
    private var depth = 0

    private init(_ options: EncodingOptions) {
        self.options = options
        text = OutputText(escapesSlashes: options.escapesSlashes)
        keys = KeyList(isSorted: options.sortsKeys)
    }

    /// Returns the text of a value, or nil if Foundation must encode it.
    static func data(_ value: some Encodable, _ options: EncodingOptions) -> Data? {
        var document = OutputDocument(options)
        guard (try? document.write(value, nil)) != nil, document.frames.count == 0, document.current == 0 else {
            document.doubt()
            return nil
        }
        document.doubt()
        // A container that still exists could have changed what Foundation writes.
        return isKnownUniquelyReferenced(&document) ? document.text.take() : nil
    }

    /// Leaves the document to Foundation.
    func doubt() { current = -1 }

    var isDoubtful: Bool { current < 0 }

    /// Begins a part of the last frame. The document must not be doubtful.
    func push(_ kind: Frame.Kind, _ key: (any CodingKey)?) -> Place {
        if kind != .value { depth += 1 }
        if depth > OutputDocument.maximumDepth || frames.count >= OutputDocument.maximumFrames {
            let parent = current
            doubt()
            return lose(kind, key, depth: frames.count - 1, serial: parent)
        }
        if kind == .array { text.append(UInt8(ascii: "[")) }
        if kind == .object { text.append(UInt8(ascii: "{")) }
        lastSerial += 1
        current = lastSerial
        frames.append(Frame(kind: kind, serial: lastSerial, firstKey: keys.count, firstLost: lost.count))
        pathKeys.append(key)
        return Place(document: self, depth: frames.count - 1, serial: lastSerial)
    }

    /// Returns a part that writes nothing, inside a frame or lost part.
    func lose(_ kind: Frame.Kind, _ key: (any CodingKey)?, depth: Int, serial: Int) -> Place {
        lastSerial += 1
        lost.append(
            LostPart(kind: kind, serial: lastSerial, key: key, parentDepth: depth, parentSerial: serial))
        return Place(document: self, depth: depth + 1, serial: lastSerial)
    }

    /// Finishes the frames from `count` on. The document must not be doubtful.
    func close(to count: Int) {
        while frames.count > count {
            let frame = frames[frames.count - 1]
            switch frame.kind {
            case .value: if frame.count == 0 { text.append(literal: "{}") }
            case .array: text.append(UInt8(ascii: "]"))
            case .object:
                guard keys.closeObject(frame, text) else { return doubt() }
                text.append(UInt8(ascii: "}"))
            }
            if frame.kind != .value { depth -= 1 }
            frames.truncate(to: frames.count - 1)
            lose(frame, pathKeys.removeLast())
        }
        current = count == 0 ? 0 : frames[count - 1].serial
    }

    /// Keeps the key of a part that was finished, as long as the frame that contains it is not.
    @inline(__always)
    private func lose(_ frame: Frame, _ key: (any CodingKey)?) {
        if lost.count > frame.firstLost { lost.removeSubrange(frame.firstLost...) }
        guard frame.isPart else { return }
        let depth = frames.count - 1
        lost.append(
            LostPart(
                kind: frame.kind, serial: frame.serial, key: key, count: frame.count, parentDepth: depth,
                parentSerial: depth < 0 ? 0 : frames[depth].serial))
    }
}
#endif
