import GitHubClient
import TerminalKit

extension Words {
    /// Breaks a text into rows, between words if it can; what does not fit into the rows ends with an ellipsis.
    static func wrapped(_ text: String, columns: Int, rows: Int, style: Style = .plain) -> [Line] {
        guard columns > 0, rows > 0 else { return [] }
        var texts: [String] = []
        for piece in text.prefix(2_000).split(whereSeparator: \.isWhitespace).flatMap({ pieces($0, columns) }) {
            if let last = texts.last, width(last) + 1 + width(piece) <= columns {
                texts[texts.count - 1] += " " + piece
            } else {
                texts.append(piece)
            }
        }
        let head = texts.prefix(rows - 1)
        let rest = texts.dropFirst(rows - 1).joined(separator: " ")
        return (head + (rest.isEmpty ? [] : [rest])).map { line in
            width(line) > columns ? Line(line, style: style).fitted(to: columns) : Line(line, style: style)
        }
    }

    /// The columns of a text once it is clean.
    private static func width(_ text: String) -> Int { Line(text).columns }

    /// A word in pieces that fit into a row each.
    private static func pieces(_ word: Substring, _ columns: Int) -> [String] {
        guard width(String(word)) > columns else { return [String(word)] }
        var pieces = [""]
        var room = columns
        for character in word {
            let needed = width(String(character))
            if needed > room {
                pieces.append("")
                room = columns
            }
            pieces[pieces.count - 1].append(character)
            room -= needed
        }
        return pieces
    }
}
