extension InspectorPage { static let html = "<p>NONCE STYLE SCRIPT", style = "", scripts: [String] = [] }
