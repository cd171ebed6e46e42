extension Resource {
    /// Sets data and error at once, for previews of screens.
    package func setPreview(data: Entity<Any>?, error: RequestError?) {
        let now = context.now
        change { state in
            if let data { state.overrideData(data, at: now) }
            if let error { state.setCachedError(error, at: now) }
        }
    }
}
