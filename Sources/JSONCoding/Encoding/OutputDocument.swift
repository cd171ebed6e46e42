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
            doubt()
            return Place(document: self, depth: 0, serial: Place.none)
        }
        if kind == .array { text.append(UInt8(ascii: "[")) }
        if kind == .object { text.append(UInt8(ascii: "{")) }
        lastSerial += 1
        current = lastSerial
        frames.append(Frame(kind: kind, serial: lastSerial, firstKey: keys.count))
        pathKeys.append(key)
        return Place(document: self, depth: frames.count - 1, serial: lastSerial)
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
            pathKeys.removeLast()
        }
        current = count == 0 ? 0 : frames[count - 1].serial
    }
}
#endif
