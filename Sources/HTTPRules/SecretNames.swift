/// Decides by the name of a query item, a JSON member or a form field whether its value is secret. Pure.
package enum SecretNames {
    /// Returns true if the name sounds secret, or if `names`, in lower case, contains it. A name that ``StreamSafety``
    /// does not allow is not compared, and counts as secret.
    package static func include(_ name: String, among names: Set<String> = []) -> Bool {
        guard StreamSafety.allows(name) else { return true }
        if names.contains(name.lowercased()) { return true }
        let words = words(of: name)
        let joined = words.joined()
        guard StreamSafety.allows(joined) else { return true }  // Marks that other characters had separated.
        if harmless.contains(joined) { return false }
        return fragments.contains { joined.contains($0) } || words.contains { secretWords.contains($0) }
    }

    /// The names, in lower case, that are secret in forms and queries. As members of JSON, they have many other
    /// meanings.
    package static let ofParameters: Set<String> = ["code", "state", "key", "sig", "nonce"]

    /// Parts of secret names without separators.
    private static let fragments = [
        "password", "passwd", "passphrase", "passcode", "secret", "token", "credential", "apikey", "accesskey",
        "privatekey", "authorization", "authcode", "codeverifier", "devicecode", "usercode", "onetimecode",
        "assertion", "sessionid", "sessionkey", "cookie", "signature", "bearer", "csrf", "xsrf", "jwt",
    ]

    /// Words that make a name secret. They are not fragments because, for example, `auth` would match `author`.
    private static let secretWords: Set<String> = ["auth", "pass", "pwd", "pin", "otp", "sid", "cvv", "cvc", "ssn"]

    /// Names without separators that contain such a part, but are not secret.
    private static let harmless: Set<String> = [
        "tokentype", "accesstokentype", "pagetoken", "nextpagetoken", "prevpagetoken", "previouspagetoken",
        "continuationtoken", "nexttoken", "synctoken", "nextsynctoken",
    ]

    /// Returns the words of a name such as `accessToken`, `access-token` or `access_token`, in lower case.
    private static func words(of name: String) -> [String] {
        var words = [""]
        var wasLowercase = false
        for scalar in name.unicodeScalars {
            let isLetter = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            if !isLetter || wasLowercase && scalar.properties.isUppercase { words.append("") }
            if isLetter { words[words.count - 1] += scalar.properties.lowercaseMapping }
            wasLowercase = scalar.properties.isLowercase
        }
        return words
    }
}
