/// The page of the inspector: one HTML document that contains its style and its script, and loads nothing else.
enum InspectorPage {
    /// Returns the page with a nonce of its own. The policy permits only the style and the script with this nonce.
    static func reply() -> HTTPReply {
        let nonce = Admission.newToken()
        let page = html.replacing("NONCE", with: nonce)
            .replacing("STYLE", with: style).replacing("SCRIPT", with: scripts.joined())
        var reply = HTTPReply("text/html; charset=utf-8", Array(page.utf8))
        let policy = """
            default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; \
            img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
            """
        reply.fields.append(("Content-Security-Policy", policy))
        return reply
    }
}
