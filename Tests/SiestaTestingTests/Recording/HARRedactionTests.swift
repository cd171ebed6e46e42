import Foundation
import SiestaCore
import TestKit
import Testing

@testable import SiestaRecording
@testable import SiestaTesting

/// The rules by which a recorder removes secrets.
@Suite(.timeLimit(.test))
struct HARRedactionTests {
    private let standard = HARRedactor(.standard)

    private func body(_ text: String, _ contentType: String = "application/json") -> String {
        String(decoding: standard.body(Data(text.utf8), contentType: contentType), as: UTF8.self)
    }

    @Test(
        arguments: [
            (#"{"password": "hunter2"}"#, #"{"password": "REDACTED"}"#),
            (
                #"{ "user":"ada","accessToken" : "a\"b", "n":1.50 }"#,
                #"{ "user":"ada","accessToken" : "REDACTED", "n":1.50 }"#
            ),
            (#"{"pin":1234,"next":5}"#, #"{"pin":0,"next":5}"#),
            (#"{"tokens":["a",{"b":[2,"c"]}],"d":"e"}"#, #"{"tokens":["REDACTED",{"b":[0,"REDACTED"]}],"d":"e"}"#),
            (#"{"pass\u0077ord":"x"}"#, #"{"pass\u0077ord":"REDACTED"}"#),
            (#"{"secret":null,"otp":true,"token":""}"#, #"{"secret":null,"otp":true,"token":""}"#),
            (#"[{"client_secret":"x"},{"a":"b"}]"#, #"[{"client_secret":"REDACTED"},{"a":"b"}]"#),
            (
                #"{"token_type":"bearer","nextPageToken":"p","code":"E12"}"#,
                #"{"token_type":"bearer","nextPageToken":"p","code":"E12"}"#
            ),
            (
                #"{"grant_type":"authorization_code","code":"x"}"#,
                #"{"grant_type":"authorization_code","code":"REDACTED"}"#
            ),
            (#"{"author":"a","passenger":"b","keyboard":"c"}"#, #"{"author":"a","passenger":"b","keyboard":"c"}"#),
        ])
    func `Secret members of JSON are replaced, and nothing else`(_ original: String, _ redacted: String) {
        #expect(body(original) == redacted)
        #expect(body(redacted) == redacted)
    }

    @Test(
        arguments: [
            (#"{"password":"hunt"#, #"{"password":"REDACTED""#), (#"{"password":"hunt\"#, #"{"password":"REDACTED""#),
            (#"{"token":["a","b"#, #"{"token":["REDACTED","REDACTED""#), (#"{"pin": 12"#, #"{"pin": 0"#),
            ("{\"token\":\"a\"}\n{\"token\":\"b\"}\n", "{\"token\":\"REDACTED\"}\n{\"token\":\"REDACTED\"}\n"),
            ("]]}}{\"token\":\"a\"}", "]]}}{\"token\":\"REDACTED\"}"),
            ("{]]}}\"token\":\"a\"", "{]]}}\"token\":\"REDACTED\""),
            ("{\"token\"", "{\"token\""), ("{\"", "{\""), ("[\\", "[\\"),
        ])
    func `Cut and broken JSON loses its secrets, too`(_ original: String, _ redacted: String) {
        #expect(body(original) == redacted)
    }

    @Test(
        arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32LittleEndian, .utf32BigEndian])
    func `JSON in UTF-16 and UTF-32 loses its secrets`(_ encoding: String.Encoding) throws {
        for type in ["application/json", "application/json; charset=utf-16", "application/octet-stream"] {
            let original = try #require(#"{"password":"hunter2é","n":"é"}"#.data(using: encoding))
            let redacted = standard.body(original, contentType: type)
            let members = try JSONSerialization.jsonObject(with: redacted) as? [String: String]
            #expect(members == ["password": "REDACTED", "n": "é"])
        }
    }

    @Test(arguments: ["utf-16", "UTF-16LE", "utf-32", "utf-32le"])
    func `A body in UTF-8 loses its secrets, even if its content type names another encoding`(_ name: String) {
        let form = "application/x-www-form-urlencoded; charset=\(name)"
        #expect(body(#"{"password":"hunter2"}"#, "application/json; charset=\(name)") == #"{"password":"REDACTED"}"#)
        #expect(body("user=ada&password=hunter2", form) == "user=ada&password=REDACTED")
    }

    @Test func `A form without secrets stays as it is, whatever its bytes`() {
        for bytes in [[0x61, 0x3D, 0xFF, 0xFE, 0x26, 0x26, 0x3D], [0xD8, 0x3D, 0x00, 0x61]] as [[UInt8]] {
            for name in ["utf-8", "utf-16"] {
                let form = "application/x-www-form-urlencoded; charset=\(name)"
                #expect(standard.body(Data(bytes), contentType: form) == Data(bytes))
            }
        }
    }

    @Test func `A form in UTF-16 loses its secrets`() throws {
        let original = try #require("user=ada&password=hunter2".data(using: .utf16LittleEndian))
        let redacted = standard.body(original, contentType: "application/x-www-form-urlencoded; charset=utf-16le")
        #expect(String(data: redacted, encoding: .utf16LittleEndian) == "user=ada&password=REDACTED")
    }

    @Test(
        arguments: [
            (")]}',\n{\"token\":\"a\"}", ")]}',\n{\"token\":\"REDACTED\"}"),
            (")]}'{\"token\":\"a\"}", ")]}'{\"token\":\"REDACTED\"}"),
            ("while(1);[{\"token\":\"a\"}]", "while(1);[{\"token\":\"REDACTED\"}]"),
            ("for(;;);{\"token\":\"a\"}", "for(;;);{\"token\":\"REDACTED\"}"),
            ("callback({\"token\":\"a\"});", "callback({\"token\":\"REDACTED\"});"),
            (
                "event: x\ndata: {\"token\":\"a\"}\n\ndata: {\"token\":1}\r\n\r\n",
                "event: x\ndata: {\"token\":\"REDACTED\"}\n\ndata: {\"token\":0}\r\n\r\n"
            ),
            (": 12\" wide\rdata: {\"token\":\"a\"}\r\r", ": 12\" wide\rdata: {\"token\":\"REDACTED\"}\r\r"),
            (": \"it's\ndata:{\"pin\":1,\ndata:\"b\":2}\n\n", ": \"it's\ndata:{\"pin\":0,\ndata:\"b\":2}\n\n"),
            ("data: {\"password\":\ndata: \"x\"}\n\n", "data: {\"password\":\ndata: \"REDACTED\"}\n\n"),
            ("1\t{\"token\":\"a\"}\n2\t{\"token\":\"b\"}", "1\t{\"token\":\"REDACTED\"}\n2\t{\"token\":\"REDACTED\"}"),
            ("\u{1E}{\"token\":\"a\"}\n", "\u{1E}{\"token\":\"REDACTED\"}\n"),
        ])
    func `JSON behind other characters loses its secrets`(_ original: String, _ redacted: String) {
        for type in ["application/json", "text/event-stream", "text/plain; charset=utf-8"] {
            #expect(body(original, type) == redacted, "\(type)")
            #expect(body(redacted, type) == redacted, "\(type)")
        }
    }

    @Test(arguments: ["\u{301}\u{323}", "\\u0301\\u0323"])
    func `The value of a member with very many combining marks counts as secret, in linear time`(_ pair: String) {
        let growth = Growth(of: 1_000) { count in
            let name = "a" + String(repeating: pair, count: count)
            return ["{\"\(name)\":\"x\"}", "{\"\(name.replacing("\u{323}", with: "\u{5B0}"))\":\"x\"}"]
        } _: { texts in
            for text in texts { #expect(body(text).hasSuffix(#":"REDACTED"}"#)) }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Texts with very many combining marks are redacted in linear time`() {
        let growth = Growth(of: 1_000) {
            String(repeating: "\u{301}\u{323}", count: $0)
        } _: { marks in
            let form = "application/x-www-form-urlencoded"
            let part = "--b\r\nContent-Disposition: form-data; name=\"a\(marks)\"\r\n\r\ns3cret\r\n--b--"
            #expect(body(#"{"a":"https://a.test/?token=\#(marks)"}"#).utf8.count < 100)
            #expect(body(#"{"a":"https://a.test/?a\#(marks)=s3cret"}"#).utf8.count < 100)
            #expect(body("b=\(marks)&a\(marks)=s3cret", form).hasSuffix("=REDACTED"))
            #expect(body(part, "multipart/form-data; boundary=b").hasSuffix("REDACTED\r\n--b--"))
            #expect(body(#"{"pin":1}"#, "application/json; charset=\(marks)") == #"{"pin":0}"#)
            let fields = ["Location", "Link", "X-Next"].map { (name: $0, value: "</?page=\(marks)>") }
            #expect(standard.headers(fields).map(\.value) == ["REDACTED", "REDACTED", "REDACTED"])
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `JSON of any depth and size is redacted without recursion`() {
        let depth = TestLevel.count(50_000, nightly: 200_000)
        let text = String(repeating: #"{"token":["#, count: depth) + #""s""#
        #expect(body(text) == String(repeating: #"{"token":["#, count: depth) + #""REDACTED""#)
    }

    @Test func `Secret fields of forms are replaced`() {
        let form = "application/x-www-form-urlencoded"
        #expect(
            body("grant_type=password&user=ada&pass%77ord=p+w&code=c&flag", form)
                == "grant_type=password&user=ada&pass%77ord=REDACTED&code=REDACTED&flag")
    }

    @Test func `JSON that is labelled as a form loses its secrets`() {
        let form = "application/x-www-form-urlencoded"
        #expect(body(#"{"a":"b","password":"hunter2"}"#, form) == #"{"a":"b","password":"REDACTED"}"#)
    }

    @Test func `The secret of a form may begin with a combining mark`() {
        let form = "application/x-www-form-urlencoded"
        #expect(body("a=b&password=\u{301}hunter2", form) == "a=b&password=REDACTED")
        #expect(body("a=b&\u{301}password=hunter2", form) == "a=b&\u{301}password=REDACTED")
    }

    @Test func `Secret parts of multipart bodies are replaced`() {
        let text = { (password: String) in
            "--b\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nada\r\n--b\r\n"
                + "Content-Disposition: form-data; name=\"password\"\r\n\r\n\(password)\r\n--b--\r\n"
        }
        #expect(body(text("hunter2"), "multipart/form-data; boundary=\"b\"") == text("REDACTED"))
    }

    @Test(arguments: ["Content-Type: text/plain; name=\"note\"", "X-Note: a; name=note"])
    func `A part has the name of its form field, whatever its other fields name`(_ field: String) {
        let text = { (secret: String) in
            "--b\r\n\(field)\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n--b--\r\n"
        }
        #expect(body(text("hunter2"), "multipart/form-data; boundary=b") == text("REDACTED"))
    }

    @Test(arguments: ["\r\n", "\n"])
    func `Parts lose their secrets with both line ends`(_ end: String) {
        let text = { (secret: String) in
            [
                "--b", "Content-Type: application/json", "", #"{"access_token":"\#(secret)"}"#,
                "--b", "Content-Disposition: form-data; name = password", "Content-Type: text/plain", "", secret,
                "--b--", "",
            ].joined(separator: end)
        }
        #expect(body(text("hunter2"), "multipart/mixed; x-boundary=c; Boundary = b") == text("REDACTED"))
    }

    @Test(
        arguments: [
            ("https://api.test/a?page=2", "https://api.test/a?page=2"),
            ("https://ada:pw@api.test/a", "https://api.test/a"),
            ("https://api.test/a;jsessionid=s?page=2", "https://api.test/a;jsessionid=REDACTED?page=2"),
            ("https://api.test/a?access_token=s3cret&page=2", "https://api.test/a?access_token=REDACTED&page=2"),
            ("https://api.test/a?code=s3cret&state=x#top", "https://api.test/a?code=REDACTED&state=REDACTED"),
            ("https://api.test/a?", "https://api.test/a?"), ("https://api.test", "https://api.test"),
        ])
    func `URLs lose their secrets`(_ original: String, _ redacted: String) {
        #expect(standard.url(original) == redacted)
        #expect(standard.url(redacted) == redacted)
    }

    @Test func `Harmless query items keep 16 bits of a digest`() {
        let (first, second) = (standard.url("https://api.test/?q=ada"), standard.url("https://api.test/?q=emma"))
        #expect(first != second)
        #expect(standard.url("https://api.test/?czNjcmV0=").contains("/?REDACTED-"))  // may be Base64
        for url in [first, second] {
            #expect(url.wholeMatch(of: #/https:\/\/api.test\/\?q=REDACTED-[0-9a-f]{4}/#) != nil)
            #expect(standard.url(url) == url)
        }
        var redaction = HARRecorder.Redaction.standard
        redaction.shownQueryItems = ["Q"]
        #expect(HARRedactor(redaction).url("https://api.test/?q=ada") == "https://api.test/?q=ada")
    }

    @Test func `Secret header fields are replaced`() {
        let fields = [
            ("Authorization", "Bearer s3cret"), ("set-cookie", "id=s3cret"), ("X-Auth-Token", "s3cret"),
            ("ETag", "\"1\""),
            ("Location", "https://api.test/?token=s3cret"),
            ("Link", "<https://api.test/?token=s3cret&page=2>; rel=\"next\""),
        ]
        let values = standard.headers(fields.map { (name: $0.0, value: $0.1) }).map(\.value)
        #expect(
            values == [
                "REDACTED", "REDACTED", "REDACTED", "\"1\"", "https://api.test/?token=REDACTED",
                "<https://api.test/?token=REDACTED&page=2>; rel=\"next\"",
            ])
    }

    @Test func `Names of the app are secret, too`() {
        var redaction = HARRecorder.Redaction.standard
        redaction.secretNames = ["Member-ID", "page"]
        let redactor = HARRedactor(redaction)
        #expect(redactor.headers([(name: "member-id", value: "7")]).map(\.value) == ["REDACTED"])
        #expect(redactor.url("https://api.test/?page=2") == "https://api.test/?page=REDACTED")
        let body = redactor.body(Data(#"{"MEMBER-ID":"7"}"#.utf8), contentType: "application/json")
        #expect(String(decoding: body, as: UTF8.self) == #"{"MEMBER-ID":"REDACTED"}"#)
    }

    @Test(arguments: ["correct horse/battery", "gänse\"füße\\", "s3cret+token=="])
    func `A marked secret is replaced in all encodings`(_ secret: String) throws {
        var redaction = HARRecorder.Redaction.none
        redaction.secrets = [secret]
        let redactor = HARRedactor(redaction)
        let json = try JSONSerialization.data(withJSONObject: ["a": secret])
        let encoded = try #require(secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        var texts = [secret, String(decoding: json, as: UTF8.self), encoded, encoded.lowercased()]
        for prefix in ["", "a", "ab"] {
            for suffix in ["", "c", "cd"] { texts.append(Data((prefix + secret + suffix).utf8).base64EncodedString()) }
        }
        for text in texts {
            let body = String(
                decoding: redactor.body(Data("x \(text) y".utf8), contentType: "text/plain"), as: UTF8.self)
            #expect(body.contains("REDACTED"), "\(text)")
            #expect(!body.contains(text.dropFirst(4).dropLast(6)), "\(text)")
        }
    }

    @Test(arguments: ["Zo\u{EB}-s3cret", "Zoe\u{308}-s3cret"])
    func `A marked secret is replaced with composed and decomposed characters`(_ secret: String) {
        var redaction = HARRecorder.Redaction.none
        redaction.secrets = [secret]
        let redactor = HARRedactor(redaction)
        for text in ["Zo\u{EB}-s3cret", "Zoe\u{308}-s3cret", "Zo%C3%AB-s3cret", "Zoe%CC%88-s3cret"] {
            #expect(redactor.text("a \(text) b") == "a REDACTED b", "\(text)")
        }
    }

    @Test(
        arguments: [
            #"p&ss<w>'rd+/\"g\u00e4n\ud83d\udd11"#, #"p\u0026ss\u003cw\u003e'rd+/\"gän🔑"#,
            #"p\u0026ss\u003Cw\u003E\u0027rd\u002B/\u0022g\u00E4n\uD83D\uDD11"#, #"\u0070&ss<w>'rd+\/\"gän🔑"#,
        ])
    func `A marked secret is replaced in strings of JSON, whichever characters a server escapes`(_ escaped: String) {
        var redaction = HARRecorder.Redaction.none
        redaction.secrets = [#"p&ss<w>'rd+/"gän🔑"#]
        let redactor = HARRedactor(redaction)
        let content = redactor.body(Data("[\"a \(escaped) b\"]".utf8), contentType: "application/json")
        #expect(String(decoding: content, as: UTF8.self) == #"["a REDACTED b"]"#)
        for count in 1..<escaped.utf8.count {
            let cut = Data("[\"a ".utf8) + escaped.utf8.prefix(count)
            let content = redactor.body(cut, contentType: "application/json", isCut: true)
            #expect(String(decoding: content, as: UTF8.self) == #"["a REDACTED"#)
        }
    }

    @Test func `Without rules, nothing changes`() {
        let redactor = HARRedactor(.none)
        let url = "https://ada:pw@api.test/a?token=s3cret"
        #expect(redactor.url(url + "#top") == url)
        #expect(redactor.headers([(name: "Cookie", value: "a=b")]).map(\.value) == ["a=b"])
        let body = Data(#"{"password":"x"}"#.utf8)
        #expect(redactor.body(body, contentType: "application/json") == body)
    }

    @Test(
        arguments: [
            ("X-Next", "https://ada:pw@api.test/a?token=s3cret,x#f", "https://api.test/a?token=REDACTED"),
            ("X-Two", "<https://a.test/?token=a> https://b.test/", "<https://a.test/?token=REDACTED> https://b.test/"),
            ("Refresh", "0; URL=/next?token=s3cret", "0; URL=/next?token=REDACTED"),
            ("Refresh", "0; URL=\u{301}/next?token=s3cret", "0; URL=\u{301}/next?token=REDACTED"),
            ("Link", "<\u{301}/a?token=s3cret>\u{301}", "<\u{301}/a?token=REDACTED>\u{301}"),
            (
                "Link", "</a?token=s3cret>; rel=up; anchor=\"https://ada:pw@a.test/?token=s3cret\"",
                "</a?token=REDACTED>; rel=up; anchor=\"https://a.test/?token=REDACTED\""
            ),
            ("X-Plain", "a:b//c ?token=x", "a:b//c ?token=x"),
        ])
    func `URLs in other header fields lose their secrets`(_ name: String, _ original: String, _ redacted: String) {
        #expect(standard.headers([(name, original)]).map(\.value) == [redacted])
        #expect(standard.headers([(name, redacted)]).map(\.value) == [redacted])
    }

    @Test(
        arguments: [
            (
                #"{"a":"https://ada:pw@s3.test/f?X-Amz-Signature=abc&page=2&q=x#access_token=y&z=1"}"#,
                #"{"a":"https://s3.test/f?X-Amz-Signature=REDACTED&page=2&q=x#access_token=REDACTED&z=1"}"#
            ),
            (#"["see https:\/\/a.test\/?sig=x \u00e9"]"#, #"["see https://a.test/?sig=REDACTED é"]"#),
            (#"{"a":"https://a.test/?q=1&w=2","b":"x://y"}"#, #"{"a":"https://a.test/?q=1&w=2","b":"x://y"}"#),
            (#"["https\u003A\u002f\u002fa.test\u002f?sig=x"]"#, #"["https://a.test/?sig=REDACTED"]"#),
            (
                #"["https://a.test/?token=\u0301s3cret","https://a.test/?q=1&\u0301token=s3cret"]"#,
                "[\"https://a.test/?token=REDACTED\",\"https://a.test/?q=1&\u{301}token=REDACTED\"]"
            ),
            (#"{"a":"https://a.test/?token=s3cr"#, #"{"a":"https://a.test/?token=REDACTED"#),
        ])
    func `URLs in strings of JSON lose their secrets, and nothing else`(_ original: String, _ redacted: String) {
        #expect(body(original) == redacted)
        #expect(body(redacted) == redacted)
    }

    @Test(arguments: ["a", "a:/", "a://b?c=d ", "://", "https://a.test/?token=x&"])
    func `The time to redact the URLs of JSON does not grow with the square of their length`(_ text: String) {
        let growth = Growth(of: TestLevel.count(4_000 / text.utf8.count, nightly: 2_000)) {
            Data((#"{"a":":/"# + String(repeating: text, count: $0) + #""}"#).utf8)
        } _: {
            _ = standard.body($0, contentType: "application/json")
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `The time to record a body does not grow with the square of the number of its pieces`() {
        let piece = Data(repeating: 1, count: 1000)
        let growth = Growth(of: 1000) {
            $0
        } _: { count in
            var bytes = RecordedExchange.Bytes()
            for _ in 0..<count { bytes.append(piece, limit: .max) }
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test(
        arguments: [
            (#"{"a":"https:\/\/a.test\/?token=s3cr\"#, #"{"a":"https://a.test/?token=REDACTED"#),
            (#"{"a":"https:\/\/a.test\/?token=s3cr\u00"#, #"{"a":"https://a.test/?token=REDACTED"#),
            (#"{"a":"https:\/\/a.test\/?token=s3cr\""#, #"{"a":"https://a.test/?token=REDACTED""#),
            (#"["https:\/\/a.test\/?sig=x \ud83d"]"#, "[\"https://a.test/?sig=REDACTED \u{FFFD}\"]"),
            (#"["\q https:\/\/a.test\/?sig=x"]"#, #"["\\q https://a.test/?sig=REDACTED"]"#),
            ("[\"\t https:\\/\\/a.test\\/?sig=x\"]", #"["\u0009 https://a.test/?sig=REDACTED"]"#),
            (#"{"pass\u0077ord\q":"x"}"#, #"{"pass\u0077ord\q":"REDACTED"}"#),
            (#"["a \ud83d b"]"#, #"["a \ud83d b"]"#),
        ])
    func `URLs in strings that no parser reads lose their secrets, too`(_ original: String, _ redacted: String) {
        #expect(body(original) == redacted)
        #expect(body(redacted) == redacted)
    }

    @Test func `URLs in a string with bytes that are not UTF-8 lose their secrets`() {
        let original = Data(#"["https:\/\/a.test\/?token=s3cret "#.utf8) + [0xE9] + Data(#""]"#.utf8)
        let redacted = standard.body(original, contentType: "application/json")
        #expect(!String(decoding: redacted, as: UTF8.self).contains("s3cret"))
    }
}
