import SiestaCore

/// The source of the total number of items of a list.
@MainActor
public struct PageTotal<Page: Sendable> {
    let value: (Entity<Page>) -> Int?

    private init(value: @escaping (Entity<Page>) -> Int?) { self.value = value }

    /// A header that contains the number, such as `X-Total-Count`, or `X-Total` for GitLab. A value that is not a
    /// number counts as no total.
    public static func header(_ name: String) -> PageTotal {
        PageTotal { entity in
            guard let text = entity.header(forKey: name), let value = Int(text.filter { $0 != " " }), value >= 0 else {
                return nil
            }
            return value
        }
    }

    /// A value in the content, as a key path or a closure. A negative number counts as no total.
    public static func content(_ value: @escaping (Page) -> Int?) -> PageTotal {
        PageTotal { value($0.content).flatMap { $0 >= 0 ? $0 : nil } }
    }
}
