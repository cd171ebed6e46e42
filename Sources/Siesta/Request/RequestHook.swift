/// A callback on one request, and when it wants to be called.
enum RequestHook {
    case completion((ResponseInfo) -> Void)
    case success((Entity<Any>) -> Void)
    case newData((Entity<Any>) -> Void)
    case notModified(() -> Void)
    case failure((RequestError) -> Void)
    case progress((Double) -> Void)

    /// Calls back if this hook is about completions like this one.
    func complete(with info: ResponseInfo) {
        switch (self, info.response) {
        case (.completion(let callback), _): callback(info)
        case (.success(let callback), .success(let entity)): callback(entity)
        case (.newData(let callback), .success(let entity)) where info.isNew: callback(entity)
        case (.notModified(let callback), .success) where !info.isNew: callback()
        case (.failure(let callback), .failure(let error)): callback(error)
        default: break
        }
    }

    /// Calls back if this hook is about progress.
    func report(progress: Double) {
        if case .progress(let callback) = self { callback(progress) }
    }

    var isAboutProgress: Bool {
        if case .progress = self { true } else { false }
    }
}
