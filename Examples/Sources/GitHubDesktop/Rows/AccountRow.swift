#if GTK
import CGTK
import GitHubClient
import SiestaGTK

/// The row of an account: its avatar, its login and its kind.
enum AccountRow {
    @MainActor
    static func make(_ avatars: AvatarService) -> ListRow<Account> {
        let avatar = RemoteImage(width: Avatars.rowSize, height: Avatars.rowSize)
        let (login, kind) = (WidgetPointer.label(style: "heading"), WidgetPointer.label(style: "dim-label"))
        let row = WidgetPointer.row([avatar.widget, .column([login, kind]).expanding()])
        return ListRow(row.margins(6, 6)) { account in
            login.setText(account.login)
            kind.setText(account.isOrganisation ? "organisation" : "user")
            avatar.resource = avatars.avatar(at: account.avatarUrl, pixels: Avatars.pixels)
        } unbind: {
            avatar.resource = nil
        }
    }
}

/// The sizes of avatars.
enum Avatars {
    /// The size in a row, in pixels of the app.
    static let rowSize = 40
    /// The size in the head of a page, in pixels of the app.
    static let headSize = 64
    /// The size that is loaded, in pixels of the image: enough for the head of a page on a screen with a scale of 2. One
    /// size for all places, so that each avatar is loaded once.
    static let pixels = 128
}
#endif
