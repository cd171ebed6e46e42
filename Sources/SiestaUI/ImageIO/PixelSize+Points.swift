#if canImport(ImageIO)
import Foundation

extension PixelSize {
    /// The pixels of a size in points; nil if the size is empty, not finite or larger than any screen.
    init?(_ size: CGSize, scale: CGFloat) {
        let (width, height) = ((size.width * scale).rounded(.up), (size.height * scale).rounded(.up))
        guard width >= 1, height >= 1, width <= 65_536, height <= 65_536 else { return nil }
        self.init(width: Int(width), height: Int(height))
    }
}
#endif
