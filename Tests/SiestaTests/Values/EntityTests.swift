import Foundation
import SiestaCore
import SiestaTesting
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.test))
struct EntityTests {
    private func response(_ headers: [String: String], status: Int = 200) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://entity.test/"))
        return try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers))
    }

    // MARK: Content type

    @Test func `The content type is the Content-Type header with its parameters`() throws {
        let entity = Entity(response: try response(["Content-Type": "text/html; charset=utf-8; x=1"]), content: 0)
        #expect(entity.contentType == "text/html; charset=utf-8; x=1")
    }

    @Test func `The content type is application/octet-stream without the header`() throws {
        #expect(Entity(response: try response([:]), content: 0).contentType == "application/octet-stream")
        #expect(Entity(response: nil, content: 0).contentType == "application/octet-stream")
        #expect(Entity(content: 0, headers: [:]).contentType == "application/octet-stream")
    }

    @Test func `The content type given to the initialiser replaces one among the headers`() {
        let entity = Entity(content: 0, contentType: "text/new", headers: ["CONTENT-Type": "text/old", "X-Other": "1"])
        #expect(entity.contentType == "text/new")
        #expect(entity.headers == ["content-type": "text/new", "x-other": "1"])
    }

    @Test func `The content type follows the headers when they are set`() {
        var entity = Entity(content: 0, contentType: "text/old")
        entity.headers["Content-Type"] = "text/new"
        #expect(entity.headers["content-type"] != "text/old")
        entity.headers = ["CONTENT-TYPE": "text/newest"]
        #expect(entity.contentType == "text/newest")
    }

    // MARK: Charset

    @Test(arguments: [
        ("text/plain", nil),
        ("text/plain; charset=utf-8", "utf-8"),
        ("text/plain; CHARSET=UTF-16", "UTF-16"),
        ("text/plain;charset=\"iso-8859-2\"", "iso-8859-2"),
        ("text/plain; x=1 ; charset = koi8-r ; y=2", "koi8-r"),
        ("text/plain; x=\"; charset=wrong\"; charset=right", "right"),
        ("charset=utf-8", nil),
    ])
    func `The charset is the parameter of the Content-Type header`(contentType: String, charset: String?) throws {
        #expect(Entity(response: try response(["Content-Type": contentType]), content: 0).charset == charset)
    }

    @Test func `The charset given to an initialiser is kept as it is, and can be changed`() {
        var entity = Entity(content: 0, contentType: "text/plain; charset=ignored", charset: "Given")
        #expect(entity.charset == "Given")
        entity.charset = nil
        #expect(entity.charset == nil)
        #expect(Entity(content: 0, charset: "Also-Given", headers: [:]).charset == "Also-Given")
        #expect(Entity(content: 0, contentType: "text/plain").charset == nil)
    }

    // MARK: Headers

    @Test(arguments: ["X-Mixed-Case", "x-mixed-case", "X-MIXED-CASE"])
    func `A header is found whatever the case of its name`(name: String) throws {
        #expect(Entity(response: try response(["X-Mixed-Case": "Value"]), content: 0).header(forKey: name) == "Value")
        #expect(Entity(content: 0, headers: ["x-MIXED-case": "Value"]).header(forKey: name) == "Value")
    }

    @Test func `A header that is not there is nil`() {
        #expect(Entity(content: 0, contentType: "a/b").header(forKey: "X-Nothing") == nil)
        #expect(Entity(response: nil, content: 0).header(forKey: "Content-Type") == nil)
    }

    @Test func `The names of all headers are in lower case, the values unchanged`() throws {
        let entity = Entity(response: try response(["Content-Type": "Text/X", "X-AbC": "DeF"]), content: 0)
        #expect(entity.headers == ["content-type": "Text/X", "x-abc": "DeF"])
    }

    @Test func `The names of headers are lowered when they are set`() {
        var entity = Entity(content: 0, headers: ["First-One": "1"])
        entity.headers["Second-One"] = "2"
        #expect(entity.headers == ["first-one": "1", "second-one": "2"])
        #expect(entity.header(forKey: "SECOND-ONE") == "2")
    }

    @Test func `A header is removed by setting it to nil`() {
        var entity = Entity(content: 0, headers: ["ETag": "x"])
        entity.headers["etag"] = nil
        #expect(entity.etag == nil)
    }

    @Test func `Values of names that differ in case alone are joined by a comma, always in the same order`() {
        for _ in 0..<20 {
            let entity = Entity(content: 0, headers: ["x-list": "3", "X-List": "2", "X-LIST": "1"])
            #expect(entity.headers == ["x-list": "1, 2, 3"])
        }
    }

    @Test func `Of several Set-Cookie headers the first counts, since they cannot be joined`() {
        let entity = Entity(content: 0, headers: ["set-cookie": "b=2", "Set-Cookie": "a=1"])
        #expect(entity.header(forKey: "Set-Cookie") == "a=1")
    }

    // MARK: ETag

    @Test(arguments: ["\"abc\"", "W/\"abc\"", "unquoted"])
    func `The entity tag is the ETag header as it was sent`(tag: String) throws {
        #expect(Entity(response: try response(["ETag": tag]), content: 0).etag == tag)
        #expect(Entity(content: 0, headers: ["eTaG": tag]).etag == tag)
    }

    @Test func `There is no entity tag without the header`() throws {
        #expect(Entity(response: try response([:]), content: 0).etag == nil)
    }

    // MARK: Timestamp

    @Test func `The timestamp of a new entity is now`() {
        let clock = TestClock(wallTime: 12_345)
        clock.whileCurrent {
            #expect(Entity(response: nil, content: 0).timestamp == 12_345)
            #expect(Entity(content: 0, contentType: "a/b").timestamp == 12_345)
            #expect(Entity(content: 0, headers: [:]).timestamp == 12_345)
        }
    }

    @Test func `The timestamp counts seconds since the reference date`() {
        let before = Date().timeIntervalSinceReferenceDate
        let timestamp = Entity(content: 0, contentType: "a/b").timestamp
        #expect(timestamp >= before)
        #expect(timestamp <= Date().timeIntervalSinceReferenceDate)
    }

    @Test func `The timestamp can be given and set`() {
        var entity = Entity(content: 0, headers: [:], timestamp: 7)
        #expect(entity.timestamp == 7)
        entity.timestamp = 8
        #expect(entity.timestamp == 8)
    }

    @MainActor @Test func `Touching sets the timestamp to now and changes nothing else`() {
        let clock = TestClock(wallTime: 1000)
        clock.whileCurrent {
            var entity = Entity(content: "x", contentType: "a/b", charset: "c", headers: ["ETag": "d"])
            clock.advance(by: 5)
            #expect(entity.timestamp == 1000)
            entity.touch()
            #expect(entity.timestamp == 1005)
            #expect(entity.content == "x")
            #expect(entity.charset == "c")
            #expect(entity.headers == ["content-type": "a/b", "etag": "d"])
        }
    }

    // MARK: Retyping

    @Test func `Retyping keeps everything but the static type`() throws {
        let entity = Entity<Any>(content: "text", charset: "c", headers: ["X-A": "b"], timestamp: 9)
        let retyped: Entity<String> = try #require(entity.withContentRetyped())
        #expect(retyped.content == "text")
        #expect(retyped.charset == "c")
        #expect(retyped.headers == ["x-a": "b"])
        #expect(retyped.timestamp == 9)
    }

    @Test func `Retyping to a type that the content is not of gives nil`() {
        let entity = Entity<Any>(content: "text", contentType: "a/b")
        let retyped: Entity<Int>? = entity.withContentRetyped()
        #expect(retyped == nil)
    }

    @Test func `Retyping to Any always works`() throws {
        let retyped: Entity<Any> = try #require(Entity(content: 5, contentType: "a/b").withContentRetyped())
        #expect(retyped.content as? Int == 5)
    }

    @Test func `A change of the content in place copies nothing`() {
        let growth = Growth(of: 5_000) {
            $0
        } _: { count in
            var entity = Entity(content: [Int](), contentType: "a/b")
            for number in 0..<count { entity.content.append(number) }
            #expect(entity.content.count == count)
        }
        #expect(growth.isBounded, "\(growth)")
    }

    @Test func `Copies are independent`() {
        let original = Entity(content: "old", contentType: "a/b")
        var copy = original
        copy.content = "new"
        copy.headers["x"] = "y"
        #expect(original.content == "old")
        #expect(original.header(forKey: "x") == nil)
    }
}
