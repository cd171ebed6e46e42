#if GTK
import CGTK
import GitHubClient
import SiestaGTK

/// The row of a contributor: the avatar, the login and the number of contributions.
enum ContributorRow {
    @MainActor
    static func make(_ avatars: AvatarService) -> ListRow<Contributor> {
        let avatar = RemoteImage(width: Avatars.rowSize, height: Avatars.rowSize)
        let (name, count) = (WidgetPointer.label(), WidgetPointer.label(style: "dim-label"))
        let row = WidgetPointer.row([avatar.widget, name.expanding(), count])
        return ListRow(row.margins(6, 4)) { contributor in
            name.setText(contributor.login ?? "somebody without an account")
            count.setText(Words.count(contributor.contributions))
            avatar.resource = avatars.avatar(at: contributor.avatarUrl, pixels: Avatars.pixels)
        } unbind: {
            avatar.resource = nil
        }
    }
}
#endif
