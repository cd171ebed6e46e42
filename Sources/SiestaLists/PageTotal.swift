import SiestaCore

/// The source of the total number of items of a list.
@MainActor
public struct PageTotal<Page: Sendable> {
    let value: (Entity<Page>) -> Int?

    private init(value: @escaping (Entity<Page>) -> Int?) { self.value = value }

    /// A response header, such as `X-Total-Count` (GitLab: `X-Total`), that contains the total number of items. If the
    /// value is not a number, the total is unknown.
    public static func header(_ name: String) -> PageTotal {
        PageTotal { entity in
            guard let text = entity.header(forKey: name), let value = Int(text.filter { $0 != " " }), value >= 0 else {
                return nil
            }
            return value
        }
    }

    /// A number that a key path or a closure returns for the content of a page. If the number is negative, the total is
    /// unknown.
    public static func content(_ value: @escaping (Page) -> Int?) -> PageTotal {
        PageTotal { value($0.content).flatMap { $0 >= 0 ? $0 : nil } }
    }
}
