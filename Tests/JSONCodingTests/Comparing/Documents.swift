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
        #"{"object":"list","has_more":false,"total_count":2,"data":[{"id":"ch_1","amount":20.25,"created":1679090539,"metadata":{"order_id":"6735"},"paid":true,"customer":"cus_1","amount_captured":255,"balance":1.5e2},{"id":"ch_2","amount":-1,"paid":false,"customer":{"login":"a","id":1,"site_admin":true},"amount_captured":256}]}"#,
        #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[10.99,44.34]},{"coordinates":[[1,2],[3,4,5]],"type":"LineString"}]},"properties":{"a":1}},{"geometry":null,"properties":null}]}"#,
        #"{"small":[-128,127],"medium":[0,65535],"large":[340282366920938463463374607431768211455],"signed":[-170141183460469231731687303715884105728],"half":[0.5,65504,1e-7],"single":[16777217,3.4028235e38],"exact":[0.1,12345678901234567890.123],"optional":[null,1.5,-0.0],"range":[1,5],"set":[1,2147483647]}"#,
        #"{"url":"https://example.com/a?b","data":"aGVsbG8=","date":1679090539.5,"uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","dates":[null,0],"levels":{"1":1,"3":2},"plain":["a",1,"b",2],"numbers":{"1":"a","-2":"b"},"nested":[{"a_b":true}],"event":{"push":{"size":1,"ref":null}}}"#,
        #"{"dog":{"value":1,"animal":{"id":1,"name":"Rex"}},"cat":{"userName":"Tom","super":{"id":2}},"twice":{"a":1,"b":"2","a":3},"mixed":[1,3,"E621E1F8-C36C-495A-93FC-0C247A3E6E5F",[7],{"b":1,"a":2},null],"either":{"a":1,"b":2},"date":"2024-02-29T23:59:59Z"}"#,
        #"[{"push":{"size":1,"ref":"main"}},{"fork":{"id":1,"name":"x"}},{"pair":{"_0":1,"_1":"a"}},{"watch":{}}]"#,
        #"[{"id":1,"name":"Rex","value":0.5},{"value":2,"animal":{"id":2}},{"user_name":"Tom","super":{"id":3,"name":"c"}}]"#,
        #"{"1":{"id":1},"22":{"id":2,"name":"x"},"-3":{"id":3}}"#,
        #"[{"a\"b":1,"c\\":2},{"a\"b":3,"c\\":4},{"\u0061":5,"a":6}]"#,
    ]

    static let invalid: [String] = [
        "", " ", "[", "]", "{", "}", "[1", "[1,", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\" 1}", "{a:1}", "{1:1}", "[1 2]",
        "[1]]", "nul",
        "tru", "nulll", "+1", "01", "-", "1.", ".5", "1e", "1e+", "-01", "1e400", "[1e400]", "0x10", "NaN", "\"",
        "\"\\\"", "\"\\x\"", "\"\\u12\"",
        "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\u{1}\"", "\"\n\"", "[\"a\u{0}b\"]", "[1]x",
        "\u{FEFF}[1]", "// c\n[1]", "['a']",
        "{\"a\":1,,}", "[,]", "{,}", "[1,,2]", "[1,,]", "[{\"a\\\"b\":1},{\"a\"b\":1}]", "[\"\\ug000\"]",
    ]

    /// Objects whose keys are equal as strings only.
    static let canonicallyEqual = ["{\"caf\u{E9}\":1,\"cafe\u{301}\":2}", "{\"\u{212A}\":1,\"K\":2}"]

    static let all = canonicallyEqual + valid + invalid

    /// Returns one of the documents, seldom a large one.
    static func random(_ random: inout SplitMix) -> String {
        if random.below(1000) == 0 { return LargeDocuments.deep[random.below(LargeDocuments.deep.count)] }
        if random.below(50) == 0 { return LargeDocuments.long[random.below(LargeDocuments.long.count)] }
        return all[random.below(all.count)]
    }
}
