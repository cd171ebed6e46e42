/// Stands for the framework QuartzCore of Apple platforms.
@_exported public import CoreGraphics

open class CALayer {
    public init() {}
    open var zPosition: CGFloat = 0
}
