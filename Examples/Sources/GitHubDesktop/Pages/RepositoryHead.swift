#if GTK
import CGTK
import GitHubClient
import Siesta
import SiestaGTK

/// The upper part of the page of a repository: what it is, a button for the star, and the languages.
@MainActor
final class RepositoryHead {
    let widget: WidgetPointer
    private let avatar = RemoteImage(width: Avatars.headSize, height: Avatars.headSize)
    private let name = WidgetPointer.label(style: "title-2")
    private let text = WidgetPointer.label(wraps: true)
    private let facts = WidgetPointer.label(style: "dim-label", wraps: true)
    private let star: WidgetPointer = gtk_button_new()
    private let languages: WidgetPointer = gtk_flow_box_new()
    private var shownLanguages: [Language] = []

    init() {
        let texts = WidgetPointer.column(spacing: 4, [name, text, facts]).expanding()
        let top = WidgetPointer.row([avatar.widget, texts, star])
        widget = WidgetPointer.column(spacing: 12, [top, languages]).margins(12, 12)
        for part in [avatar.widget, star] { gtk_widget_set_valign(part, GTK_ALIGN_START) }
        gtk_actionable_set_action_name(star.object, "win.star")
        gtk_flow_box_set_selection_mode(languages.object, GTK_SELECTION_NONE)
        gtk_flow_box_set_max_children_per_line(languages.object, 4)
        gtk_flow_box_set_column_spacing(languages.object, 12)
        gtk_widget_set_focusable(languages, 0)
    }

    func show(_ model: RepositoryModel, avatars: AvatarService) {
        let repository = model.repository.content
        name.setText("\(model.id.owner)/\(model.id.name)")
        text.setText(repository.map { OneLine.text($0.description ?? "No description.") } ?? "")
        facts.setText(repository.map(Self.facts) ?? "")
        avatar.resource = avatars.avatar(at: repository?.owner.avatarUrl, pixels: Avatars.pixels)
        showStar(model, repository)
        show(model.languages.content ?? [])
    }

    private func showStar(_ model: RepositoryModel, _ repository: Repository?) {
        let count = repository.map { " \(Words.count($0.stargazersCount))" } ?? ""
        let pending = model.isStarPending ? " saving" : ""
        gtk_button_set_label(star.as(), (model.isStarred ? "★" : "☆") + count + pending)
        star.setName(model.isStarred ? "Remove the star" : "Star")
        gtk_widget_set_sensitive(star, model.isStarPending ? 0 : 1)
    }

    private static func facts(_ repository: Repository) -> String {
        [
            repository.archived ? "archived" : nil, repository.fork ? "fork" : nil,
            repository.license.map { $0.spdxId ?? $0.name }, Words.count(repository.forksCount, "fork"),
            Words.count(repository.openIssuesCount, "issue"),
            repository.pushedAt.map { "pushed \($0.prefix(10))" }, repository.defaultBranch,
        ].compactMap { $0 }.joined(separator: " · ")
    }

    /// Shows the most used languages, as many beside each other as there is room.
    private func show(_ shares: [Language]) {
        guard shares != shownLanguages else { return }
        shownLanguages = shares
        while let child = gtk_widget_get_first_child(languages) { gtk_flow_box_remove(languages.object, child) }
        for language in shares.prefix(8) { gtk_flow_box_insert(languages.object, Self.bar(language), -1) }
    }

    private static func bar(_ language: Language) -> WidgetPointer {
        let share = Int((language.share * 1_000).rounded())
        let bar: WidgetPointer = gtk_level_bar_new()
        gtk_level_bar_set_value(bar.object, language.share)
        cgtk_set_accessible_label(bar, language.name)
        let name = WidgetPointer.label(language.name).expanding()
        return .column(spacing: 2, [.row(spacing: 6, [name, .label("\(share / 10).\(share % 10) %")]), bar])
    }
}
#endif
