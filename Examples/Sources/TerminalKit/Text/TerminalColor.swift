/// One of the sixteen colours that every terminal has, and whose shades belong to the user's theme.
public enum TerminalColor: UInt8, Hashable, Sendable, CaseIterable {
    /// Black; invisible on many backgrounds.
    case black
    /// Red.
    case red
    /// Green.
    case green
    /// Yellow; brown in some themes.
    case yellow
    /// Blue.
    case blue
    /// Magenta.
    case magenta
    /// Cyan.
    case cyan
    /// White, in fact a light grey; invisible on light backgrounds.
    case white
    /// Bright black, in fact a dark grey.
    case brightBlack
    /// Bright red.
    case brightRed
    /// Bright green.
    case brightGreen
    /// Bright yellow.
    case brightYellow
    /// Bright blue.
    case brightBlue
    /// Bright magenta.
    case brightMagenta
    /// Bright cyan.
    case brightCyan
    /// Bright white.
    case brightWhite
}

extension TerminalColor {
    /// The parameter that selects the colour for text (ECMA-48, 8.3.117; the bright ones are aixterm's).
    var parameter: Int {
        rawValue < 8 ? 30 + Int(rawValue) : 82 + Int(rawValue)
    }
}
