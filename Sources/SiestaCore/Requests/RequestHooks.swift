/// The hooks of a request, in the order in which they were attached.
///
/// The first three need no allocation: most loads have two hooks of the library, and at most one of the app.
@MainActor
struct RequestHooks {
    private var first = RequestHook.none
    private var second = RequestHook.none
    private var third = RequestHook.none
    private var rest: [RequestHook] = []
    private(set) var count: Int32 = 0
    /// True if a hook receives progress.
    private(set) var areAboutProgress = false

    mutating func append(_ hook: consuming RequestHook) {
        if hook.isAboutProgress { areAboutProgress = true }
        switch count {
        case 0: first = hook
        case 1: second = hook
        case 2: third = hook
        default: rest.append(hook)
        }
        count += 1
    }

    subscript(index: Int32) -> RequestHook {
        switch index {
        case 0: first
        case 1: second
        case 2: third
        default: index < count ? rest[Int(index) - 3] : .none
        }
    }

    /// Returns true if a hook fulfils a condition, apart from the first `start` hooks.
    func contains(from start: Int32 = 0, _ isMatch: (RequestHook) -> Bool) -> Bool {
        var index = start
        while index < count {
            if isMatch(self[index]) { return true }
            index += 1
        }
        return false
    }

    /// Removes the hook of a task.
    mutating func remove(_ waiter: RequestWaiter) {
        var kept = RequestHooks()
        for index in 0..<count {
            if case .waiter(let other) = self[index], other === waiter { continue }
            kept.append(self[index])
        }
        self = kept
    }

    func report(progress: Double) {
        first.report(progress: progress)
        second.report(progress: progress)
        third.report(progress: progress)
        for hook in rest { hook.report(progress: progress) }
    }

    func complete(_ request: any Request, with info: ResponseInfo) {
        first.complete(request, with: info)
        second.complete(request, with: info)
        third.complete(request, with: info)
        for hook in rest { hook.complete(request, with: info) }
    }
}
