/// An address in two parts, between which paths are inserted. Pure.
struct PathBase {
    /// Everything up to the end of the path, a slash at the end.
    let prefix: String
    /// What follows the path.
    let suffix: String

    /// The address of `path`, escaped; one slash at its beginning makes no difference. Allocates once for a plain path.
    func appending(_ path: String) -> String {
        let isRooted = path.utf8.first == UInt8(ascii: "/")
        let start = isRooted ? path.utf8.index(after: path.startIndex) : path.startIndex
        let escaped = PercentEncoding.escapePath(path[start...])
        var address = prefix
        address.reserveCapacity(prefix.utf8.count + escaped.utf8.count + suffix.utf8.count)
        address += escaped
        address += suffix
        return address
    }
}
