extension HARRecorder {
    /// The rules for removing secrets from a recording.
    ///
    /// Unless noted otherwise, the standard rules replace these values with `REDACTED`:
    ///
    /// - The values of header fields that contain credentials, tokens, cookies or signatures. These are the fields
    ///   whose values are never logged; see `SiestaLog.redactedHeaders`.
    /// - The values of query items, except those that the log shows; see `SiestaLog.shownQueryItems`. If the name of an
    ///   item does not indicate a secret, 16 bits of a digest of the value follow the word `REDACTED`, so that a replay
    ///   can distinguish `?q=a` from `?q=b`. Values from a small range, such as dates of birth, can be guessed from
    ///   such a digest. Add the names of such items to ``secretNames``. The user info and the fragment of a URL are
    ///   removed.
    /// - The same parts of complete URLs that occur in other header fields. In URLs inside the strings of JSON bodies,
    ///   only the user info and the query items whose names indicate a secret are redacted, because the app may display
    ///   the other parts.
    /// - The values of JSON members and form fields whose names indicate a secret: for example `password`,
    ///   `client_secret`, `accessToken`, and the `code` of an authorization. Numbers are replaced with 0. Strings and
    ///   numbers in nested arrays and objects are also replaced. The other parts of the body do not change. Bodies in
    ///   UTF-16 and UTF-32 are also redacted, and so is JSON that follows other text, such as the prefix `)]}',` or the
    ///   `data:` of an event. Markup is not searched for JSON.
    ///
    /// No rule recognizes secrets in other places, such as a path, a plain-text body, or a member with a harmless name.
    /// Add such values to ``secrets``.
    public struct Redaction: Sendable, Equatable {
        /// The standard rules, which a recorder uses by default.
        public static let standard = Redaction(hidesSecretNames: true)

        /// No rules: everything is recorded as it was sent and received. Do not share such a recording.
        public static let none = Redaction(hidesSecretNames: false)

        /// Values that are replaced wherever they occur in URLs, header fields, bodies and descriptions of errors.
        /// Their percent-encoded forms, their forms in JSON strings, and their Base64 forms are also replaced. A value
        /// should have at least six characters: shorter values are not found in Base64, and replacing a value of one or
        /// two characters would make a recording useless.
        public var secrets: Set<String> = []

        /// Additional names of header fields, query items, JSON members and form fields whose values are secret. Names
        /// are case-insensitive.
        public var secretNames: Set<String> = []

        /// Additional names of query items whose values are not redacted. Names are case-insensitive.
        public var shownQueryItems: Set<String> = []

        let hidesSecretNames: Bool

        private init(hidesSecretNames: Bool) {
            self.hidesSecretNames = hidesSecretNames
        }
    }
}
