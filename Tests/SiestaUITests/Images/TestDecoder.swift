import Foundation
import Isolation
import SiestaUI

/// A decoder whose images are texts: the bytes of the file and the size that was asked for.
///
/// The bytes `bad` cannot be decoded. The bytes `big` have a cost of 1000, all others of 10. While the gate is closed,
/// decoding waits.
struct TestDecoder: ImageDecoding {
    struct Refused: Error {}

    private let gate = DispatchSemaphore(value: 0)
    private let isGated: Bool
    private let decoded = Locked<[String]>([])
    private let mainThreadUses = Locked(0)

    init(isGated: Bool = false) {
        self.isGated = isGated
    }

    /// The images whose decoding has begun, in order.
    var images: [String] { decoded.withLock { $0 } }

    /// The number of images that were decoded on the main queue.
    var usesOnMainQueue: Int { mainThreadUses.withLock { $0 } }

    /// Lets one image be decoded.
    func open() {
        gate.signal()
    }

    func decode(_ data: Data, fitting size: PixelSize?) throws -> DecodedImage<String> {
        let text = String(decoding: data, as: UTF8.self)
        let name = size.map { "\(text) \($0.width)x\($0.height)" } ?? text
        decoded.withLock { $0.append(name) }
        if isGated { gate.wait() }
        if Thread.isMainThread { mainThreadUses.withLock { $0 += 1 } }
        if text == "bad" { throw Refused() }
        return DecodedImage(name, pixelSize: size ?? PixelSize(width: 1, height: 1), cost: text == "big" ? 1000 : 10)
    }
}
