#if os(Linux) || os(Android)
import Foundation

/// A parsed text that is being decoded. A decoder that a type keeps also keeps the document.
///
/// Like the decoders of Foundation, a document is used by one thread at a time.
final class Document {
    let text: ParsedText
    let options: DecodingOptions
    /// The original keys, if the keys are converted, or if two of them are equal as strings, but not as bytes.
    let originalKeys: OriginalKeys?
    /// A Boolean value that indicates whether the conversion of keys has made two of them equal, or they were before.
    let hasMergedKeys: Bool
    /// The bytes of the text. The pointer is unsafe, because a class cannot keep a span. The bytes belong to the
    /// caller of `Document.value`, and are copied before it returns if a decoder still refers to the document.
    private var source: UnsafeBufferPointer<UInt8>
    private var copy: UnsafeMutableBufferPointer<UInt8>?
    /// A Boolean value that indicates whether Foundation must decode the text once more.
    var isDoubtful = false
    /// The positions of pairs by the number of their key, for each large object that was searched.
    var indexes: [Int: [Int32: Int]] = [:]

    /// The error of the number that was read last, until it is thrown.
    var numberError: (any Error)?
    var numberErrors = 0
    static let maximumNumberErrors = 64
    /// The length in bytes from which on a text takes Foundation longer than the place of a failure.
    static let minimumPlaceLength = 1 << 10
    /// The number of values for which Foundation has made an error.
    var refusals = 0
    /// An error takes as long as the longest list on the way to its value. A second decoding costs less than many of them.
    static let maximumRefusals = 4

    private init?(_ source: UnsafeBufferPointer<UInt8>, _ options: DecodingOptions) {
        guard var text = TextParser.parse(Span(_unsafeElements: source)) else { return nil }
        if options.convertsFromSnakeCase || text.keys.hasSpellings {
            guard let keys = OriginalKeys(of: &text, options) else { return nil }
            originalKeys = keys
        } else {
            originalKeys = nil
        }
        hasMergedKeys = originalKeys?.haveMerged ?? false
        self.text = text
        self.options = options
        self.source = source
    }

    deinit {
        copy?.deallocate()
    }

    /// Decodes a value. Throws the error of Foundation. Returns nil if Foundation must decode the whole text.
    static func value<T: Decodable>(_ type: T.Type, from data: Data, _ options: DecodingOptions) throws -> T? {
        try data.withUnsafeBytes { bytes in
            try bytes.withMemoryRebound(to: UInt8.self) { source in
                guard var document = Document(source, options) else { return nil }
                let result = Result { try document.value(type, at: 0, Location(document, 0), nil) }
                guard isKnownUniquelyReferenced(&document) else {
                    document.copySource()
                    return nil
                }
                guard !document.isDoubtful else { return nil }
                switch result {
                case .success(let value): return value
                case .failure(let error):
                    guard source.count >= Document.minimumPlaceLength,
                        let error = FailingPlace.error(error, in: document)
                    else { return nil }
                    throw error
                }
            }
        }
    }

    /// The bytes of the text.
    @inline(__always)
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(Span(_unsafeElements: source))
    }

    private func copySource() {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: source.count)
        _ = bytes.initialize(from: source)
        copy = bytes
        source = UnsafeBufferPointer(bytes)
    }
}
#endif
