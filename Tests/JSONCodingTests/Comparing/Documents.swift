/// Texts like those of big public APIs, and texts that parsers often read wrongly.
enum Documents {
    static let valid: [String] = [
        #"{"id":1296269,"node_id":"MDEwOlJ=","name":"Hello-World","full_name":"octocat/Hello-World","private":false,"owner":{"login":"octocat","id":1,"site_admin":false},"description":null,"fork":true,"size":108,"score":1.0,"topics":["atom","api"],"created_at":"2011-01-26T19:01:12Z","license":{"key":"mit","url":"https://api.example.com/licenses/mit"}}"#,
        #"[{"id":1,"name":"a","user_name":"x","value":0.5},{"id":2,"name":null,"user_name":"y","value":1e3},{"id":3,"name":"c","user_name":"z","value":-0.25}]"#,
        #"{"created_at":"Mon Sep 24 03:35:21 +0000 2012","id":250075927172759552,"id_str":"250075927172759552","text":"Aggressive Ponytail #freebandnames \ud83d\ude00 \u00e9 – ü","entities":{"urls":[],"hashtags":[{"text":"freebandnames","indices":[20,34]}]},"coordinates":[-122.4194155,37.7749295],"geo":null}"#,
        #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[-65.613616999999977,43.420273000000009],[-65.619720000000029,43.418052999999986],[1.5e-7,1E+2]]]},"properties":{"name":"Canada"}}]}"#,
        #"{"object":"list","has_more":false,"data":[{"id":"ch_1","amount":2000,"amount_captured":0,"created":1679090539,"metadata":{"order_id":"6735","_private__key_":"1"},"paid":true,"balance":12345678901234567890}]}"#,
        #"{"coord":{"lon":10.99,"lat":44.34},"main":{"temp":298.48,"feels_like":298.74,"humidity":64},"dt":1661870592,"sys":{"sunrise":1661834187},"timezone":7200,"cod":200}"#,
        #"{"a":1,"a":2,"b":{"a":3,"a":4},"c":[{"a":5,"a":6},{"a":7,"b":8}]}"#,
        #"{"a_b":1,"aB":2,"a__b":3,"_a_b_":4,"A_B":5,"é_É":6}"#,
        #"[0,-0,-0.0,0.0,1,-1,9007199254740993,9223372036854775807,9223372036854775808,-9223372036854775808,-9223372036854775809,18446744073709551615,18446744073709551616,1e308,1e-308,5e-324,1e-400]"#,
        #"[0.1234567890123456,0.12345678901234567,0.123456789012345678,1.00000000000000000,100000000000000000,1000000000000000000,10000000000000000000,-999999999999999999,-1000000000000000000,123456789.123456789012345678901234567890,1E5,1e5,1.5E-3,12345678901234567E2,0.000000000000000000000000000001]"#,
        #"["\"\\\/\b\f\n\r\t","\u0000\u001f\u007f","\ud834\udd1e","é","日本語テキスト","","\u0041"]"#,
        "[]", "{}", "[[]]", "[{}]", "{\"\":{}}", "null", "true", "false", "1", "-1.5", "\"text\"",
        " \n\t[ 1 , 2 , { \"a\" : [ ] } ] \r\n", "[1,2,]", "{\"a\":1,}",
        #"["2011-01-26T19:01:12Z","1970-01-01T00:00:00Z","2024-02-29T23:59:59Z","aGVsbG8=","https://example.com/?a=b","Infinity","-Infinity","NaN"]"#,
        #"{"super":{"id":1},"missing":[1],"id":300,"name":5,"value":"x"}"#,
    ]

    static let invalid: [String] = [
        "", " ", "[", "]", "{", "}", "[1", "[1,", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\" 1}", "{a:1}", "{1:1}", "[1 2]",
        "[1]]", "nul",
        "tru", "nulll", "+1", "01", "-", "1.", ".5", "1e", "1e+", "-01", "1e400", "[1e400]", "0x10", "NaN", "\"",
        "\"\\\"", "\"\\x\"", "\"\\u12\"",
        "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\u{1}\"", "\"\n\"", "[\"a\u{0}b\"]", "[1]x",
        "\u{FEFF}[1]", "// c\n[1]", "['a']",
        "{\"a\":1,,}", "[,]", "{,}", "[1,,2]",
    ]

    /// Objects whose keys are equal as strings only.
    static let canonicallyEqual = ["{\"caf\u{E9}\":1,\"cafe\u{301}\":2}", "{\"\u{212A}\":1,\"K\":2}"]

    static let all = canonicallyEqual + valid + invalid
}
