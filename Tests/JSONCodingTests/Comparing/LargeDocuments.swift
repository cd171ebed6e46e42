/// Documents of several kilobytes. They are changed less often than the others, because they take longer.
enum LargeDocuments {
    static let all = long + deep

    static let long = [repositories, changingShapes, wide, wideAndNotASCII, indented]

    /// Documents of almost the depth that is permitted. Each error in them has a path of hundreds of keys.
    static let deep = [deepArrays, deepObjects, mixedDepth]

    /// A list whose objects have one shape, with nested objects that have another one.
    private static let repositories =
        "["
        + (0..<12).map {
            """
            {"id":\(1_296_269 + $0),"name":"Hello-World-\($0)","full_name":"octocat/Hello-World","private":false,\
            "owner":{"login":"octocat","id":\($0),"type":"User","site_admin":false},"html_url":"https://example.com/\($0)",\
            "description":null,"fork":true,"size":\($0 * 108),"score":\($0).25,"topics":["a","b"],\
            "created_at":"2011-01-26T19:01:12Z","license":{"key":"mit","url":"https://example.com/mit"},\
            "visibility":"public","permissions":{"admin":false,"push":false,"pull":true}}
            """
        }.joined(separator: ",") + "]"

    /// A list whose objects lose, gain and exchange keys in the middle.
    private static let changingShapes =
        "["
        + (0..<60).map { number in
            switch number / 12 {
            case 0: #"{"id":\#(number),"name":"a","value":1.5}"#
            case 1: #"{"id":\#(number),"value":2,"name":"b"}"#
            case 2: #"{"id":\#(number),"name":"c","user_name":"d","value":null}"#
            case 3: number % 2 == 0 ? #"{"id":\#(number)}"# : #"{"id":\#(number),"id":0,"name":"e"}"#
            default: #"{"name":"f","id":\#(number),"other\#(number)":[{"id":1,"name":"g","value":\#(number)}]}"#
            }
        }.joined(separator: ",") + "]"

    /// An object with more than 64 keys.
    private static let wide =
        "{" + (0..<90).map { "\"key\($0)\":\($0 % 7 == 0 ? "[\($0)]" : "\($0)")" }.joined(separator: ",") + "}"

    private static let wideAndNotASCII =
        "[{" + (0..<70).map { "\"key\($0)\":{\"é\($0)\":\"\($0)\"}" }.joined(separator: ",")
        + ",\"key7\":1},{\"key69\":2,\"cafe\u{301}\":3}]"

    private static let deepArrays = String(repeating: "[", count: 511) + "1" + String(repeating: "]", count: 511)

    private static let deepObjects =
        String(repeating: "{\"a\":", count: 511) + "[]" + String(repeating: "}", count: 511)

    private static let mixedDepth =
        String(repeating: "[{\"a\":", count: 255) + "[1,2]" + String(repeating: "}]", count: 255)

    private static let indented =
        "[\n"
        + (0..<20).map { number in
            "        {\r\n                  \"id\" : \(number) ,\r\n\t\t\"name\" :   \"\\u00e9\\n\(number)\"\r\n        }"
        }.joined(separator: ",\n") + "\n]\n"
}
