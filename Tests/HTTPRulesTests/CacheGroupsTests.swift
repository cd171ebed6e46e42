import HTTPRules
import TestKit
import Testing

/// The fields of RFC 9875.
@Suite(.timeLimit(.test))
struct CacheGroupsTests {
    @Test(
        arguments: [
            (#""scripts""#, ["scripts"]),
            (#""eurovision-results", "kylie""#, ["eurovision-results", "kylie"]),  // The example of §2.
            (#"  "a"  ,  "b"  "#, ["a", "b"]),
            (#""a";x=1;y, "b";z="q""#, ["a", "b"]),  // Parameters have no meaning.
            (#""a", "a""#, ["a"]),
            (#""A", "a""#, ["A", "a"]),  // Names are compared with case.
            (#""with \"quotes\" and \\""#, [#"with "quotes" and \"#]),
            (#""""#, [""]),
            ("", []),
            ("token", []),
            (#""a", token"#, []),  // Any other member makes the whole field invalid.
            (#""a", 1"#, []),
            (#""a", ("b")"#, []),
            (#""a""#, ["a"]),
            (#""a" "b""#, []),
            (#""a","#, []),
            (#""open"#, []),
            (#""ü""#, []),
        ] as [(String, Set<String>)])
    func `The names are the strings of a list`(value: String, names: Set<String>) {
        #expect(CacheGroups.names(in: value) == names)
    }
}
