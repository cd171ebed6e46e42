#if GTK
import CGTK
import GitHubClient
import SiestaGTK

/// The row of a repository: its name, its stars, its language and its description.
enum RepositoryRow {
    @MainActor
    static func make() -> ListRow<Repository> {
        let (name, stars) = (WidgetPointer.label(style: "heading"), WidgetPointer.label())
        let (language, description) = (WidgetPointer.label(style: "dim-label"), WidgetPointer.label(style: "dim-label"))
        let first = WidgetPointer.row([name.expanding(), language, stars])
        return ListRow(WidgetPointer.column(spacing: 2, [first, description]).margins(6, 6)) { repository in
            name.setText(repository.name)
            stars.setText("★ \(Words.count(repository.stargazersCount))")
            language.setText(repository.language ?? "")
            description.setText(repository.description.map(OneLine.text) ?? "")
        }
    }
}

/// Texts from servers, which may contain line breaks and control characters, for labels with one line.
enum OneLine {
    static func text(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: scalar != "\u{200D}"
        default: false
        }
    }
}
#endif
