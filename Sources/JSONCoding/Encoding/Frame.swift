#if os(Linux) || os(Android)
/// A value, array or object that is not finished. The frames of a document are a stack: each is a part of the one
/// before it, and the text of the last one is at the end of the document.
struct Frame: BitwiseCopyable {
    enum Kind: UInt8 {
        /// The place of one value, whose encoder has not returned.
        case value
        case array, object
    }

    let kind: Kind
    /// The number of this frame. No other frame of the document has it.
    let serial: Int
    /// The number of elements. A place contains one value at most.
    var count = 0
    /// The position of the first key of an object.
    let firstKey: Int
    /// A Boolean value that indicates whether a container returned this part to its user, under a key.
    var isPart = false
    /// A bit for each hash of a key.
    var keyBits: UInt64 = 0
    /// The position of the first lost part.
    let firstLost: Int
}

/// A container or encoder that writes nothing any more: that of a finished frame, or of a doubtful document. Its user
/// may look at its path and count all the same.
struct LostPart {
    let kind: Frame.Kind
    let serial: Int
    let key: (any CodingKey)?
    var count = 0
    /// The position of the frame that contains it, if that has not been finished.
    let parentDepth: Int
    let parentSerial: Int
}
#endif
