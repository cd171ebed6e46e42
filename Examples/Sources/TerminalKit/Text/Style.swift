/// How a piece of text looks.
public struct Style: Hashable, Sendable {
    /// Whether it is bold, or brighter in some themes.
    public var isBold: Bool
    /// Whether it is fainter than plain text.
    public var isDim: Bool
    /// Whether text and background change places; the one way to mark a selection that works without colours.
    public var isInverse: Bool
    /// The colour of the text; nil for the terminal's own.
    public var foreground: TerminalColor?

    /// Makes a style; without arguments, the plain one.
    public init(bold: Bool = false, dim: Bool = false, inverse: Bool = false, foreground: TerminalColor? = nil) {
        isBold = bold
        isDim = dim
        isInverse = inverse
        self.foreground = foreground
    }

    /// No attribute, and the terminal's own colour.
    public static let plain = Style()
    /// Bold, and nothing else.
    public static let bold = Style(bold: true)
    /// Dim, and nothing else.
    public static let dim = Style(dim: true)
    /// Inverse, and nothing else.
    public static let inverse = Style(inverse: true)

    /// Both styles at once: every attribute that either has, and the colour of `other` if it has one.
    public func adding(_ other: Style) -> Style {
        Style(
            bold: isBold || other.isBold, dim: isDim || other.isDim, inverse: isInverse || other.isInverse,
            foreground: other.foreground ?? foreground)
    }
}

extension Style {
    /// The sequence that turns the style on, whatever was on before (SGR, ECMA-48, 8.3.117).
    func selection(in colors: ColorMode) -> String {
        var parameters = "0"
        if isBold { parameters += ";1" }
        if isDim { parameters += ";2" }
        if isInverse { parameters += ";7" }
        if colors == .sixteen, let foreground { parameters += ";\(foreground.parameter)" }
        return "\u{1B}[\(parameters)m"
    }
}
