extension Resource {
    /// The sentence of this half minute. It is fresh for 25 seconds more, because a cache has kept it for 5 seconds.
    static func zen(at now: Moment) -> Resource {
        let slot = now.seconds / zenInterval
        let sentence = sentences[(slot % sentences.count + sentences.count) % sentences.count]
        return Resource(text: sentence, age: 5, maxAge: zenInterval, staleWhileRevalidate: 60, staleIfError: 600)
    }

    private static let zenInterval = 30

    private static let sentences = [
        "Light one lamp, then the next.", "A small harbor shelters many ships.", "Mend the net before the storm.",
        "Ask the tide; it keeps its own hours.", "Leave the door as wide as you found it.",
    ]
}
