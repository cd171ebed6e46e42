import SiestaUI
import TestKit
import Testing

@Suite(.timeLimit(.test))
struct PixelSizeTests {
    @Test(arguments: [
        (PixelSize(width: 400, height: 200), PixelSize(width: 100, height: 100), PixelSize(width: 100, height: 50)),
        (PixelSize(width: 200, height: 400), PixelSize(width: 100, height: 100), PixelSize(width: 50, height: 100)),
        (PixelSize(width: 40, height: 20), PixelSize(width: 100, height: 100), PixelSize(width: 40, height: 20)),
        (PixelSize(width: 9000, height: 1), PixelSize(width: 100, height: 100), PixelSize(width: 100, height: 1)),
        (PixelSize(width: .max, height: .max), PixelSize(width: 7, height: 7), PixelSize(width: 7, height: 7)),
        (PixelSize(width: 5, height: 5), nil, PixelSize(width: 5, height: 5)),
        (PixelSize(width: -5, height: 0), PixelSize(width: 0, height: -1), PixelSize(width: 1, height: 1)),
    ])
    func `An image fits into a size, and is never enlarged`(size: PixelSize, limit: PixelSize?, expected: PixelSize) {
        #expect(size.fitted(into: limit) == expected)
    }

    @Test func `The number of pixels does not overflow`() {
        #expect(PixelSize(width: 3, height: 4).count == 12)
        #expect(PixelSize(width: .max, height: 2).count == .max)
        #expect(DecodedImage(1, pixelSize: PixelSize(width: .max, height: 2)).cost == .max)
        #expect(DecodedImage(1, pixelSize: PixelSize(width: 10, height: 2)).cost == 80)
    }
}
