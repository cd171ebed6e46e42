// The code of the article about the log. It is compiled, not run.
import Siesta

let api = Service(baseURL: "https://api.example.com")
let account: String? = "ada"

// snippet.enable
SiestaLog.Category.enabled = .common
// snippet.end

// snippet.handler
SiestaLog.messageHandler = { category, message in
    print("\(category): \(message)")
}
// snippet.end

// snippet.own
SiestaLog.log(.network, ["Signed in as", account, "at", api.baseURL])
// snippet.end
