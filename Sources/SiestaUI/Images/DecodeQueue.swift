/// The order in which images are decoded: the image that was asked for last comes first, because a person sees it. Pure.
///
/// All users of one image share one job. A job that nobody wants any more is not begun.
struct DecodeQueue<Key: Hashable, User: Hashable> {
    private var users: [Key: Set<User>] = [:]
    private var running: Set<Key> = []
    /// The jobs that have not begun, the newest last. It may contain keys that are no longer wanted.
    private var waiting: [Key] = []

    /// The number of jobs that may run at the same time.
    let width: Int

    /// The number of entries for jobs that have not begun, for tests.
    var waitingCount: Int { waiting.count }

    init(width: Int) {
        self.width = max(1, width)
    }

    /// The number of jobs that wait or run.
    var count: Int { users.count }

    /// Adds a user of a job. Returns true if the job is new.
    mutating func add(_ user: User, to key: Key) -> Bool {
        let isNew = users[key] == nil
        users[key, default: []].insert(user)
        if !running.contains(key) { waiting.append(key) }
        compactIfNeeded()
        return isNew
    }

    /// Removes a user. A job without users is dropped, unless it is running. Returns true if it is dropped.
    mutating func remove(_ user: User, from key: Key) -> Bool {
        users[key]?.remove(user)
        guard users[key]?.isEmpty == true, !running.contains(key) else { return false }
        users[key] = nil
        compactIfNeeded()
        return true
    }

    /// Returns the job to begin next; nil if none waits, or if enough jobs are running.
    mutating func begin() -> Key? {
        while running.count < width, let key = waiting.popLast() {
            guard users[key] != nil, !running.contains(key) else { continue }
            running.insert(key)
            return key
        }
        return nil
    }

    /// Ends a job. Returns its users.
    mutating func end(_ key: Key) -> Set<User> {
        running.remove(key)
        return users.removeValue(forKey: key) ?? []
    }

    /// Keeps the newest occurrence of each job that waits, if there are many others.
    private mutating func compactIfNeeded() {
        guard waiting.count > 2 * users.count + 16 else { return }
        var seen: Set<Key> = []
        let kept = waiting.reversed().filter { users[$0] != nil && !running.contains($0) && seen.insert($0).inserted }
        waiting = kept.reversed()
    }
}
