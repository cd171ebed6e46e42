extension Catalogue {
    /// The repositories with a story of their own.
    static let seeds: [RepositorySeed] = [
        .init(
            "lanternworks", "harbor", "The lamp that every other lamp is lit from: service supervisor", "Swift", 18_402,
            "supervisor linux daemon swift"),
        .init("lanternworks", "wick", "Configuration that burns down to one file", "Rust", 7_316, "config cli rust"),
        .init("lanternworks", "tinderbox", "Start anything in under a second", "Go", 3_977, "startup bootstrap"),
        .init("lanternworks", "snuffer", "Stop anything, politely at first", "C", 1_204, "signals posix"),
        .init("lanternworks", "handbook", "How we work, in 41 short pages", nil, 655, "documentation"),
        .init(
            "tidewater-archive", "logbook-ocr", "Reads ships' logbooks, smudges included", "Python", 2_110,
            "ocr history"),
        .init(
            "tidewater-archive", "soundings", "1 204 556 depth measurements, 1790–1931, as plain text", nil, 431,
            "dataset"),
        .init("tidewater-archive", "chart-tiles", "Old sea charts as map tiles 🗺️", "TypeScript", 978, "maps tiles"),
        .init(
            "tidewater-archive", "knots", "Every knot in Ashby's notebook, animated", "JavaScript", 367, "svg animation"
        ),
        .init("instytut-zorza", "łuna", "Prognoza zorzy polarnej dla Bałtyku", "Haskell", 288, "astronomia prognoza"),
        .init("instytut-zorza", "teleskop", "Sterownik montażu paralaktycznego", "C++", 512, "telescope astronomy"),
        .init("instytut-zorza", "gwiazdozbiory", "88 gwiazdozbiorów w jednym pliku SVG", "Python", 140, "svg"),
        .init("yuzu-kobo", "kissa", "ターミナルのための静かなプレーヤー 🎧", "Swift", 4_390, "terminal audio swift"),
        .init("yuzu-kobo", "furigana", "漢字にふりがなを付けるライブラリ", "Ruby", 1_522, "japanese nlp"),
        .init("yuzu-kobo", "shiori", "読みかけの本を忘れないためのしおり", "Kotlin", 806, "books android"),
        .init("yuzu-kobo", "wagashi", "和菓子の図鑑（写真付き）", "TypeScript", 271, "food encyclopedia"),
        .init("brass-otter", "holt", "A small engine for turn-based games", "Zig", 5_243, "game-engine zig"),
        .init("brass-otter", "cribbage", "Fifteen two, fifteen four, and a pair is six", "Swift", 342, "cards"),
        .init("brass-otter", "very-long-bug", "It has been open since the first commit", "C", 1_919, "bug"),
        .init("brass-otter", "terminal-trap", trap, "Shell", 66, "terminal security escape-sequences"),
        .init("manarat-alhuruf", "khatt", "محرك لتشكيل الخط العربي", "Rust", 1_830, "arabic typography"),
        .init(
            "manarat-alhuruf", "bidi-tables", "جداول الاتجاه: نسخة تجريبية with mixed العربية and English", "C", 298,
            "bidi unicode"),
        .init("manarat-alhuruf", "abjad", "حساب الجُمَّل", "Python", 83, "arabic"),
        .init("paper-rocket", "telemetry", "Numbers from things in the air", "Go", 612, "telemetry"),
        .init("paper-rocket", "parachute", "Lands exceptions softly 🪂", "Kotlin", 1_077, "errors"),
        .init("mira-sato", "dotfiles", "点と線", "Shell", 31, "dotfiles"),
        .init("mira-sato", "hotaru", "A terminal browser for fireflies and forges ✨", "Swift", 918, "terminal swift"),
        .init("mira-sato", "matcha-timer", "3 minutes, 80 °C, no notifications", "Swift", 57, "tea"),
        .init(
            "elodie-varga", "petit-corps", "Une police minuscule pour écrans minuscules", "Python", 739, "font bitmap"),
        .init("elodie-varga", "ligatures", "ﬁ, ﬂ, œ and why you should care", "HTML", 1_166, "typography"),
        .init("tomasz-zrodlo", "jaźń", "Eksperyment z pętlą, która pyta sama o siebie", "Haskell", 19),
        .init("li-wenqing", "茶馆", "一门小语言，一杯茶的时间就能学会", "OCaml", 3_340, "compiler language"),
        .init("li-wenqing", "register-allocator", "Linear scan with a good memory", "C++", 905, "compiler"),
        .init("hana-byeol", "별자리", "밤하늘을 터미널에 그려 줍니다", "Rust", 477, "terminal astronomy"),
        .init("noor-haddad", "harakat", "إضافة الحركات إلى النصوص تلقائيًا", "Python", 1_401, "arabic nlp"),
        .init("shira-bendor", "niqqud", "ניקוד אוטומטי לטקסט בעברית", "C++", 210, "hebrew nlp"),
        .init("bjorn-aasli", "fjordfs", "A filesystem with deep directories", "C", 2_815, "filesystem linux"),
        .init("zeynep-isikli", "dotless-i", "ı ≠ i, İ ≠ I: a test suite for case folding", "Java", 534, "unicode i18n"),
        .init("ngozi-adeleke", "quorum", "Agreement among three snacks and more", "Go", 4_120, "consensus raft"),
        .init("dave-vulpes", "family-emoji", "👨‍👩‍👧‍👦 counts as one. Fight me.", "Swift", 128, "unicode emoji"),
        .init("priya-ramanan", "greenhouse", "Dashboards for builds and basil 🌱", "TypeScript", 389, "ci dashboard"),
        .init("tui-kahurangi", "whenua", "Maps of Aotearoa with every macron in place", "Python", 246, "maps"),
        .init("old-rope", "frayed", nil, "Perl", 2),
        .init("marko-poljanec", "čebelnjak", "Tehtnica za panje, ki pošilja SMS", "C", 75, "beekeeping hardware"),
        .init("ines-duarte", "coração", "Um metrónomo que abranda contigo", "Swift", 163, "music audio"),
    ]

    /// What a program must never write to a terminal as it is: colours, a window title, a cleared screen, bells,
    /// backspaces, line breaks, an 8-bit escape, and an override of the reading direction.
    static let trap =
        "Harmless \u{1B}[31mred\u{1B}[0m text\u{7} with\u{8}\u{8}\u{8}\u{8} a \u{1B}]0;stolen title\u{7}title,"
        + "\ta tab, a\r\nline, \u{1B}[2J\u{1B}[Ha clear, \u{9B}5mC1, \u{7F}, \u{0}, and \u{202E}sdrawkcab\u{202C} words"

    /// What the users who can sign in like, by login, latest first.
    static let stars = [
        "mira-sato": [
            "lanternworks/harbor", "yuzu-kobo/kissa", "li-wenqing/茶馆", "brass-otter/holt", "elodie-varga/ligatures",
            "zeynep-isikli/dotless-i", "noor-haddad/harakat",
        ],
        "priya-ramanan": ["bjorn-aasli/fjordfs", "ngozi-adeleke/quorum", "paper-rocket/parachute"],
    ]
}
