extension Catalogue {
    /// At least one of each kind that a browser must show well: large, empty, nameless, and in several scripts.
    static let organisations: [Account] = [
        organisation(
            1, "lanternworks", "Lanternworks", "Small sturdy tools for people who keep the lights on.", "Rotterdam",
            followers: 5120),
        organisation(
            2, "tidewater-archive", "Tidewater Archive", "Preserving charts, logs and letters of the sea 🌊", "Halifax",
            followers: 842),
        organisation(
            3, "instytut-zorza", "Instytut Zorza",
            "Otwarte oprogramowanie dla małych obserwatoriów: gwiazdy, łuny, żagle.",
            "Łódź", followers: 377),
        organisation(4, "yuzu-kobo", "柚子工房", "小さくて丁寧な道具を作っています。", "高知県", followers: 1904),
        organisation(
            5, "brass-otter", "Brass Otter Games", "Board games, card games, and one very long bug.", "Dunedin",
            followers: 1288),
        organisation(
            6, "manarat-alhuruf", "منارة الحروف", "أدوات مفتوحة للخط العربي والنصوص من اليمين إلى اليسار", "عمّان",
            followers: 655),
        organisation(
            7, "paper-rocket", "Paper Rocket 🚀", "Telemetry for things that should not fly, but do.", nil,
            followers: 233),
        organisation(8, "empty-shelf", "Empty Shelf Cooperative", nil, "Ghent", followers: 3),
    ]

    /// People of several scripts; some without a name, a biography or a repository.
    static let users: [Account] = [
        user(
            11, "mira-sato", "Mira Satō", "Writes browsers for fun. You are signed in as her.", "Kyoto", "@yuzu-kobo",
            412),
        user(12, "elodie-varga", "Élodie Varga", "Typographe devenue ingénieure. Œuvre en cours…", "Liège", nil, 968),
        user(13, "tomasz-zrodlo", "Tomasz Źródło", "Zażółć gęślą jaźń", "Gdańsk", "@instytut-zorza", 154),
        user(14, "li-wenqing", "李文清", "编译器与茶。", "成都", nil, 2210),
        user(15, "hana-byeol", "김하나", "별을 세는 개발자 ⭐", "부산", "@paper-rocket", 731),
        user(16, "noor-haddad", "نور حداد", "أكتب الشيفرة وأرسم الحروف", "عمّان", "@manarat-alhuruf", 388),
        user(17, "shira-bendor", "שירה בן־דור", "קוד, קפה וקצת C++", "חיפה", nil, 97),
        user(18, "bjorn-aasli", "Bjørn Aasli", "Fjords, filesystems, føflekker.", "Tromsø", "@tidewater-archive", 520),
        user(19, "zeynep-isikli", "Zeynep Işıklı", "İstanbul'da ışık ve İnternet", "İstanbul", nil, 301),
        user(
            20, "ngozi-adeleke", "Ngozi Adélékè", "Distributed systems, centralised snacks.", "Ibadan", "@lanternworks",
            1733),
        user(21, "dave-vulpes", "Dave 🦊👨‍👩‍👧‍👦🇳🇿", "Emoji are load-bearing here: 🧑🏽‍🚀👩‍🔬🏴‍☠️", "Dunedin", "@brass-otter", 64),
        user(
            22, "priya-ramanan", "Priya Ramanan", "Keeps the build green, and the plants too.", "Chennai",
            "@lanternworks", 845),
        user(23, "tui-kahurangi", "Tui Kahurangi", "Ngā mihi! Maps and moa.", "Whakatāne", nil, 129),
        user(24, "old-rope", nil, nil, nil, nil, 7),
        user(25, "lost-semicolon", nil, "Has never published anything;", nil, nil, 0),
        user(26, "marko-poljanec", "Marko Poljanec", "Čebelar, programer, žongler.", "Škofja Loka", nil, 42),
        user(27, "ines-duarte", "Inês Duarte", "Música, áudio e corações de código aberto", "Évora", nil, 276),
        user(28, "quiet-badger", "Quiet Badger", nil, "Somewhere under a hedge", "@empty-shelf", 18),
    ]

    private static func organisation(
        _ number: Int, _ login: String, _ name: String, _ bio: String?, _ location: String?, followers: Int
    ) -> Account {
        var dice = Dice(login)
        return Account(
            id: 410_000 + number * 53, login: login, kind: .organisation, name: name, bio: bio, location: location,
            company: nil, blog: "https://\(login).example", followers: followers, following: 0,
            created: today.adding(days: -dice.number(900...4000), seconds: -dice.number(0...80_000)),
            updated: today.adding(days: -dice.number(1...200), seconds: -dice.number(0...80_000)))
    }

    private static func user(
        _ number: Int, _ login: String, _ name: String?, _ bio: String?, _ location: String?, _ company: String?,
        _ followers: Int
    ) -> Account {
        var dice = Dice(login)
        return Account(
            id: 410_000 + number * 53, login: login, kind: .user, name: name, bio: bio, location: location,
            company: company, blog: dice.number(0...2) == 0 ? "https://\(login).example/blog" : nil,
            followers: followers, following: dice.lowish(0...120),
            created: today.adding(days: -dice.number(400...4500), seconds: -dice.number(0...80_000)),
            updated: today.adding(days: -dice.number(1...300), seconds: -dice.number(0...80_000)))
    }
}
