/// An avatar as a request asks for it.
enum Avatar {
    /// The image of an account: `s` is the edge in pixels, limited to the sizes that exist.
    ///
    /// - Parameter fault: What is wrong with the image; nil for a good one.
    static func resource(
        of account: Account, _ query: Query, fault: EmbeddedGitHub.Behaviour.AvatarFault?
    ) -> Result<Resource, Problem> {
        let wanted = query["s"].flatMap { Int($0) } ?? Identicon.standardSize
        let size = min(max(wanted, Identicon.sizes.lowerBound), Identicon.sizes.upperBound)
        let file = Identicon(of: account.login).image(size: size).file
        return switch fault {
        case nil: .success(Resource(png: file))
        case .missing: .failure(.notFound)
        case .garbage: .success(Resource(png: Array(file.prefix(20)) + "no image".utf8))
        }
    }
}
