/// One key press, or one paste, as the user meant it.
///
/// Which bytes stood for it is forgotten: the three ways in which terminals spell "Home" are one case here. A value
/// never holds a control character outside ``paste(_:)``.
public indirect enum Key: Hashable, Sendable {
    /// A printable character, one Unicode scalar at a time: a combining mark typed after its letter is a key of its
    /// own, and joins the letter when both are appended to a string.
    case character(Character)
    /// The control key with a lower-case letter, a space, or one of `\ ] ^ _`.
    ///
    /// Tab, Return, Backspace and Escape are sent as control characters too; they have cases of their own.
    case ctrl(Character)
    /// The cursor key up.
    case up
    /// The cursor key down.
    case down
    /// The cursor key to the left.
    case left
    /// The cursor key to the right.
    case right
    /// The Home key.
    case home
    /// The End key.
    case end
    /// The Page Up key.
    case pageUp
    /// The Page Down key.
    case pageDown
    /// Return, or Enter on the keypad.
    case enter
    /// The Tab key.
    case tab
    /// Shift and Tab.
    case backTab
    /// The key that deletes to the left.
    case backspace
    /// The key that deletes to the right.
    case delete
    /// The Insert key.
    case insert
    /// The Escape key.
    case escape
    /// A function key, from 1 to 12.
    case function(Int)
    /// Text from the clipboard, with every line break as `"\n"`; otherwise unchanged, so it may hold control
    /// characters.
    ///
    /// A long one arrives in pieces, in order, with nothing between them. See ``KeyParser/longestPaste``.
    case paste(String)
    /// A key held together with modifiers that its own case does not tell already; never empty modifiers, never nested.
    case modified(Key, Modifiers)

    /// The Alt (Option, Meta) key with a character: short for `.modified(.character(character), .alt)`.
    public static func alt(_ character: Character) -> Key {
        .modified(.character(character), .alt)
    }
}

extension Key {
    /// The same key with more modifiers held, in the one form that stands for it: Shift+Tab is ``backTab``, Control
    /// with a letter is ``ctrl(_:)``, Shift with a letter is the capital letter.
    func holding(_ modifiers: Modifiers) -> Key {
        switch self {
        case .modified(let key, let held): key.spelled(with: held.union(modifiers))
        default: spelled(with: modifiers)
        }
    }

    private func spelled(with modifiers: Modifiers) -> Key {
        switch self {
        case .tab where modifiers.contains(.shift):
            return Key.backTab.spelled(with: modifiers.subtracting(.shift))
        case .character(let letter) where modifiers.contains(.control):
            let key = Key.ctrl(Self.single(letter.lowercased(), or: letter))
            return key.spelled(with: modifiers.subtracting(.control))
        case .character(let letter) where modifiers.contains(.shift):
            let key = Key.character(Self.single(letter.uppercased(), or: letter))
            return key.spelled(with: modifiers.subtracting(.shift))
        default:
            return modifiers.isEmpty ? self : .modified(self, modifiers)
        }
    }

    /// Case mapping may give two characters ("ß"); then the key keeps the one it had.
    private static func single(_ text: String, or character: Character) -> Character {
        text.count == 1 ? text[text.startIndex] : character
    }
}
