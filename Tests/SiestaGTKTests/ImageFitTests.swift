#if GTK
import SiestaUI
import Testing

@testable import SiestaGTK

@Suite(.timeLimit(.minutes(1))) struct ImageFitTests {
    @Test(arguments: [
        (800, 400, 100, 100, 100, 50), (400, 800, 100, 100, 50, 100), (100, 50, 400, 400, 100, 50),
        (100, 50, 100, 50, 100, 50), (3000, 1, 30, 30, 30, 1), (1, 1, 0, 0, 1, 1), (7, 5, 3, 3, 3, 2),
    ])
    func theResultFitsKeepsTheProportionsAndIsNeverLarger(
        width: Int, height: Int, boxWidth: Int, boxHeight: Int, expectedWidth: Int, expectedHeight: Int
    ) {
        let result = ImageFit.size(
            of: PixelSize(width: width, height: height), in: PixelSize(width: boxWidth, height: boxHeight))
        #expect(result == PixelSize(width: expectedWidth, height: expectedHeight))
    }

    @Test func withoutABoxOnlyTheLimitOfTexturesApplies() {
        #expect(ImageFit.size(of: PixelSize(width: 900, height: 2), in: nil) == PixelSize(width: 900, height: 2))
        let wide = ImageFit.size(of: PixelSize(width: 32_768, height: 512), in: nil)
        #expect(wide == PixelSize(width: 16_384, height: 256))
    }

    @Test func theLimitOfPixelsHoldsForNumbersThatOverflow() {
        #expect(ImageFit.isAllowed(PixelSize(width: 100, height: 100), limit: 10_000))
        #expect(!ImageFit.isAllowed(PixelSize(width: 100, height: 101), limit: 10_000))
        #expect(!ImageFit.isAllowed(PixelSize(width: .max, height: .max), limit: .max))
    }
}
#endif
