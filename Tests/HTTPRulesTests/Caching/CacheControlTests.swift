import HTTPRules
import TestKit
import Testing

@Suite("RFC 9111 §5.2: Cache-Control", .timeLimit(.test))
struct CacheControlTests {
    @Test(
        arguments: [
            ("max-age=60", 60), ("max-age=0", 0), ("max-age=007", 7), ("MAX-Age=60", 60), ("max-age=\"60\"", 60),
            ("  max-age=60\t", 60), ("public,max-age=60,private", 60), (",, ,max-age=60,,", 60),
            ("extension=\"max-age=100\", max-age=60", 60), ("max-age=60, extension=\"max-age=100\"", 60),
            ("extension=\"a\\\",max-age=100\", max-age=60", 60), ("x-max-age=1, max-age=60", 60),
            ("max-age=2147483647", 2_147_483_647), ("max-age=2147483648", 2_147_483_648),
            ("max-age=2147483649", 2_147_483_648), ("max-age=99999999999999999999999", 2_147_483_648),
            ("no-store x, max-age=60", 60), ("foo \"bar, max-age=1\", max-age=60", 60),
        ] as [(String, UInt32)])
    func `A number of seconds is read and limited to 2³¹`(value: String, seconds: UInt32) {
        #expect(CacheControl(value).maxAge == seconds)
        let shared = value.replacing("max-age", with: "s-maxage").replacing("MAX-Age", with: "S-MaxAge")
        #expect(CacheControl(shared).sharedMaxAge == seconds)
        #expect(CacheControl(shared).maxAge == nil)
    }

    @Test(
        arguments: [
            "max-age", "max-age=", "max-age=x", "max-age=-1", "max-age=+1", "max-age=60a", "max-age=a60", "max-age=6.0",
            "max-age='60'", "max-age =60", "max-age= 60", "max-age=60 x", "max-age=\"60", "max-age=\"6\\0\"",
            "max-age=\"\"", "max-age=60;x", "max-age=1_000", "max-age=６", "max-age=60=60", "x=\"open, max-age=60",
        ])
    func `A max-age that does not parse is 0`(value: String) {
        #expect(CacheControl(value).maxAge == 0)
        #expect(CacheControl(value.replacing("max-age", with: "s-maxage")).sharedMaxAge == 0)
        #expect(CacheControl(value.replacing("max-age", with: "stale-while-revalidate")).staleWhileRevalidate == nil)
        #expect(CacheControl(value.replacing("max-age", with: "stale-if-error")).staleIfError == nil)
        #expect(CacheControl(value.replacing("max-age", with: "min-fresh")).minFresh == 1 << 31)
    }

    @Test(
        arguments: [
            "", " ", ",", "xmax-age=60", "max-agex=60", "max_age=60", "x=\"max-age=60\"", "\"max-age=60\"",
            "@max-age=60",
            "x max-age=60", "=max-age=60", "max-ag\u{212A}e=60",
        ])
    func `Other text is no directive`(value: String) {
        #expect(CacheControl(value) == CacheControl(nil))
    }

    @Test(
        arguments: [
            ("max-age=1, max-age=60", 1), ("max-age=60, max-age=1", 1), ("max-age=60, max-age=x", 0),
            ("max-age=60, MAX-AGE=0", 0), ("max-age=60, x, max-age=60", 60),
        ] as [(String, UInt32)])
    func `Of several max-age, the smallest counts`(value: String, seconds: UInt32) {
        #expect(CacheControl(value).maxAge == seconds)
    }

    @Test func `Of other repeated directives, the most restrictive counts`() {
        let control = CacheControl(
            "stale-while-revalidate=30, stale-while-revalidate=20, stale-if-error=5, stale-if-error=6, "
                + "s-maxage=9, s-maxage=8, max-stale, max-stale=7, min-fresh=3, min-fresh=4")
        #expect(control.staleWhileRevalidate == 20)
        #expect(control.staleIfError == 5)
        #expect(control.sharedMaxAge == 8)
        #expect(control.maxStale == 7)
        #expect(control.minFresh == 4)
    }

    private static func directives(_ value: String) -> [String: Bool] {
        let control = CacheControl(value)
        return [
            "no-store": control.noStore, "no-cache": control.noCache, "private": control.isPrivate,
            "public": control.isPublic, "must-revalidate": control.mustRevalidate,
            "proxy-revalidate": control.proxyRevalidate, "must-understand": control.mustUnderstand,
            "immutable": control.immutable, "no-transform": control.noTransform, "only-if-cached": control.onlyIfCached,
        ]
    }

    @Test(arguments: directives("").keys.sorted())
    func `A directive without argument is read, whatever its case and place`(name: String) {
        let expected = Self.directives("").merging([name: true]) { $1 }
        for value in [name, name.uppercased(), "a, \(name)", "\(name),b=1", "  \(name)  ,", "a=\"b\",\(name)"] {
            #expect(Self.directives(value) == expected, "\(value)")
        }
        for value in ["x\(name)", "\(name)x", "a=\(name)", "a=\"\(name)\"", "-\(name)", String(name.dropLast())] {
            #expect(CacheControl(value) == CacheControl(nil), "\(value)")
        }
    }

    @Test(arguments: ["no-store", "no-cache", "private", "must-revalidate", "proxy-revalidate", "only-if-cached"])
    func `Malformed text does not weaken a directive that restricts`(name: String) {
        for value in ["\(name) x", "\(name) =x", "\(name)=", "\(name) \"", "x=\"open, \(name)"] {
            #expect(CacheControl(value) == CacheControl(name), "\(value)")
        }
    }

    @Test(arguments: ["public", "immutable", "must-understand"])
    func `Malformed text makes a directive that permits invalid`(name: String) {
        for value in ["\(name) x", "\(name) =x", "\(name)=\"", "x=\"open, \(name)"] {
            #expect(CacheControl(value) == CacheControl(nil), "\(value)")
        }
        #expect(CacheControl("\(name)=1") == CacheControl(name))  // RFC 8246 §2: arguments have no meaning.
    }

    @Test(
        arguments: [
            ("\"set-cookie\"", ["set-cookie"]), ("\"Set-Cookie, X-A\"", ["set-cookie", "x-a"]), ("etag", ["etag"]),
            ("\" , a ,, b , \"", ["a", "b"]),
            ("\"\"", nil), ("\" \"", nil), ("\",\"", nil), ("", nil), ("\"a b\"", nil), ("\"a\\b\"", nil),
            ("\"a\" b", nil), ("\"a", nil), ("\"\(String(repeating: "x", count: 129))\"", nil),
            ("\"\(String(repeating: "x,", count: 65))\"", nil),
        ] as [(String, [String]?)])
    func `A qualified directive names fields, and applies to all if it has no list of names`(
        argument: String, names: [String]?
    ) {
        let noCache = CacheControl("no-cache=\(argument)")
        #expect(noCache.noCache == (names == nil))
        #expect(noCache.noCacheFields == names ?? [])
        let isPrivate = CacheControl("private=\(argument)")
        #expect(isPrivate.isPrivate == (names == nil))
        #expect(isPrivate.privateFields == names ?? [])
    }

    @Test(arguments: ["no-cache, no-cache=\"a\"", "no-cache=\"a\", no-cache", "no-cache=\"a\", no-cache=\"\""])
    func `The directive without names wins over the qualified one`(value: String) {
        #expect(CacheControl(value).noCache)
        #expect(CacheControl(value).noCacheFields == [])
    }

    @Test func `The names of several qualified directives add up`() {
        let control = CacheControl("no-cache=\"a\", no-cache=b, private=c, private=\"d\"")
        #expect(control.noCacheFields == ["a", "b"])
        #expect(control.privateFields == ["c", "d"])
    }

    @Test(
        arguments: [
            ("max-stale", 1 << 31), ("max-stale=5", 5), ("max-stale=0", 0), ("max-stale=x", nil), ("max-stale=", nil),
            ("max-stale x", nil), ("max-stale =5", nil), ("max-stale=99999999999", 1 << 31),
        ] as [(String, UInt32?)])
    func `A max-stale without a number accepts every age`(value: String, seconds: UInt32?) {
        #expect(CacheControl(value).maxStale == seconds)
    }
}
