extension HARRecorder {
    /// The rules for removing secrets from a recording.
    ///
    /// The standard rules replace these values with `REDACTED`:
    ///
    /// - The values of header fields with credentials, tokens, cookies and signatures. These are the fields that
    ///   `SiestaLog` never logs; see `SiestaLog.redactedHeaders`.
    /// - The values of query items, except items that the log shows; see `SiestaLog.shownQueryItems`. If the name of an
    ///   item does not indicate a secret, 16 bits of a digest follow the word `REDACTED`, so that a replay can
    ///   distinguish `?q=a` and `?q=b`. Such a digest does not hide values with few possibilities, such as a date of
    ///   birth. Add the names of such items to ``secretNames``. User info and fragments of URLs are removed.
    /// - The same parts of complete URLs in other header fields. In URLs that occur in the strings of JSON bodies, this
    ///   rule applies only to the user info and to the items whose names indicate a secret, because an app may show the
    ///   other parts.
    /// - Members of JSON bodies, and fields of forms, whose names indicate a secret: for example `password`,
    ///   `client_secret`, `accessToken`, and the `code` of an authorization. Texts and numbers are replaced, including
    ///   those in nested arrays and objects. The other parts of the body do not change. The body may be in UTF-16 or
    ///   UTF-32. The JSON may follow other text, such as the prefix `)]}',` or the `data:` of an event. Markup is not
    ///   searched for JSON.
    ///
    /// No rule recognizes secrets elsewhere, such as in a path, a body of text or a member with a harmless name. Add
    /// such values to ``secrets``.
    public struct Redaction: Sendable, Equatable {
        /// The standard rules. This is the default of a recorder.
        public static let standard = Redaction(hidesSecretNames: true)

        /// No rules: everything is recorded as it was sent. Do not share such a recording.
        public static let none = Redaction(hidesSecretNames: false)

        /// Values that are replaced wherever they occur: in URLs, header fields, bodies and descriptions of errors,
        /// including percent-encoded forms, strings of JSON and Base64. Values should have at least six characters:
        /// shorter values are not found in Base64, and a value of one or two characters would make a recording useless.
        public var secrets: Set<String> = []

        /// Additional names of header fields, query items, members of JSON and fields of forms whose values are secret.
        /// Names are case-insensitive.
        public var secretNames: Set<String> = []

        /// Additional names of query items whose values are recorded. Names are case-insensitive.
        public var shownQueryItems: Set<String> = []

        let hidesSecretNames: Bool

        private init(hidesSecretNames: Bool) {
            self.hidesSecretNames = hidesSecretNames
        }
    }
}
