import Foundation

/// A store for the cookies of one service and one user.
package protocol CookieStore: Sendable {
    /// False if the store has never contained a cookie.
    var mayHaveCookies: Bool { get }

    /// Returns the current cookies.
    func cookies() async -> [Cookie]

    /// Removes the cookies that satisfy a condition. A cookie of which the store cannot make a ``Cookie`` stays.
    func remove(where isRemoved: @escaping @Sendable (Cookie) -> Bool) async

    /// Removes all cookies.
    func removeAll() async
}

/// The cookies of one service.
@MainActor
package protocol CookieKeeping: AnyObject {
    /// The current store. It changes when the cookies are dropped. A running request keeps the store with which it was
    /// started.
    var store: any CookieStore { get }

    /// Replaces the store by an empty one, and removes the file. Requests in flight use the old store, and can no longer
    /// change the cookies of later requests, or the file.
    func drop()

    /// Makes the stored cookies those of the current owner, if they belonged to nobody. Returns at once.
    func giveToOwner()

    /// Waits until the file of dropped cookies was removed, or until the file has its new owner.
    func areGone() async
}

/// The cookies of one service, in stores of one type.
@MainActor
final class CookieKeeper<Store: CookieStore>: CookieKeeping {
    /// Creates a store. The first function returns the stored cookies; nil if there are none. The store calls the second
    /// function after changes.
    typealias Maker = (_ loading: (@Sendable () -> [Cookie])?, _ onChange: (@Sendable (Store) -> Void)?) -> Store

    private let file: CookieFile?
    private let make: Maker
    private(set) lazy var current = makeStore()

    init(_ storage: CookieStorage, of owner: CookieOwner, _ make: @escaping Maker) {
        self.make = make
        file = if case .file(let url) = storage.place { CookieFile(url, owner: owner) } else { nil }
    }

    var store: any CookieStore { current }

    func drop() {
        file?.remove()
        current = makeStore()
    }

    func giveToOwner() { file?.giveToOwner() }

    func areGone() async { await file?.settle() }

    private func makeStore() -> Store {
        guard let file else { return make(nil, nil) }
        let generation = file.generation
        let loading: (@Sendable () -> [Cookie])? = file.mayExist ? { @Sendable in file.load(generation) } : nil
        return make(loading) { store in file.scheduleWrite(generation) { await store.cookies() } }
    }
}
