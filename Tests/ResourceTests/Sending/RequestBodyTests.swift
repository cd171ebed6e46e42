import Foundation
import SiestaCore
import SiestaTesting
import TestDoubles
import TestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The bodies of requests, and values that cannot be a body.
@MainActor @Suite(.timeLimit(.test))
struct RequestBodyTests {
    private let stub = StubbedResource()
    private var resource: Resource { stub.resource }

    @Test func `data: sends the bytes with the given type`() throws {
        stub.network.handler = { _ in .held }
        let request = resource.request(.put, data: Data([0, 1, 255]), contentType: "application/x-bytes")
        #expect(try stub.lastRequest.httpBody == Data([0, 1, 255]))
        #expect(try contentType == "application/x-bytes")
        #expect(try stub.lastRequest.httpMethod == "PUT")
        request.cancel()
    }

    @Test func `text: sends UTF-8 text/plain by default`() throws {
        _ = resource.request(.post, text: "Grüße")
        #expect(try body == "Grüße")
        #expect(try contentType == "text/plain; charset=utf-8")
    }

    @Test(arguments: [
        (String.Encoding.utf8, "utf-8"), (.ascii, "us-ascii"), (.isoLatin1, "iso-8859-1"),
        (.utf16BigEndian, "utf-16be"),
    ])
    func `text: adds the encoding's IANA name to the type`(_ encoding: String.Encoding, _ name: String) throws {
        _ = resource.request(.post, text: "abc", contentType: "text/csv", encoding: encoding)
        #expect(try contentType == "text/csv; charset=\(name)")
        #expect(try stub.lastRequest.httpBody == "abc".data(using: encoding))
    }

    @Test func `text: that cannot be encoded fails with UnencodableText, and nothing is sent`() async {
        let request = resource.request(.post, text: "Grüße ☃", encoding: .ascii)
        #expect(request.state == .completed)
        let cause = await request.completion().failure?.cause as? RequestError.Cause.UnencodableText
        #expect(cause?.encoding == .ascii)
        #expect(cause?.text == "Grüße ☃")
        expectNothingSent()
    }

    @Test func `json: sends dictionaries and arrays, of Swift and of Foundation`() throws {
        let values: [any JSONConvertible] = [
            ["a": [1, 2]] as [String: Any], [1, "two"] as [Any], NSDictionary(object: "b", forKey: "a" as NSString),
            NSArray(object: "c"), [String: String](), [Int](),
        ]
        for (value, text) in zip(values, [#"{"a":[1,2]}"#, #"[1,"two"]"#, #"{"a":"b"}"#, #"["c"]"#, "{}", "[]"]) {
            _ = resource.request(.post, json: value)
            #expect(try body == text)
            #expect(try contentType == "application/json")
        }
    }

    @Test func `json: takes another content type`() throws {
        _ = resource.request(.patch, json: ["a": 1], contentType: "application/merge-patch+json")
        #expect(try contentType == "application/merge-patch+json")
    }

    @Test func `json: that is not valid JSON fails with InvalidJSONObject, and nothing is sent`() async {
        let values: [any JSONConvertible] = [
            ["a": Date()], [NSObject()], ["a": Double.nan], [Double.infinity], [1: 2], ["a": Data()],
        ]
        for value in values {
            let request = resource.request(.post, json: value)
            #expect(request.state == .completed)
            #expect(await request.completion().failure?.cause is RequestError.Cause.InvalidJSONObject, "\(value)")
        }
        expectNothingSent()
    }

    @Test(
        arguments: [
            ([:], ""),
            (["a": "1"], "a=1"),
            (["b": "2", "a": "1", "c": "3"], "a=1&b=2&c=3"),
            (["k": ""], "k="),
            (["": "v"], "=v"),
            (["AZaz09-._~": "AZaz09-._~"], "AZaz09-._~=AZaz09-._~"),
            (["a b": "c+d&e=f"], "a%20b=c%2Bd%26e%3Df"),
            (["x": "!*'();:@$,/?#[]%\"\n"], "x=%21%2A%27%28%29%3B%3A%40%24%2C%2F%3F%23%5B%5D%25%22%0A"),
            (["☃": "é"], "%E2%98%83=%C3%A9"),
        ] as [([String: String], String)])
    func `urlEncoded: escapes all but unreserved characters, sorts the pairs, and joins them with &`(
        _ params: [String: String], _ text: String
    ) throws {
        _ = resource.request(.post, urlEncoded: params)
        #expect(try body == text)
        #expect(try contentType == "application/x-www-form-urlencoded")
    }

    @Test
    func `A request that cannot be sent is in no list, changes nothing, and starts nothing when repeated`() async {
        let recorder = ObserverRecorder()
        resource.addObserver(recorder)
        let request = resource.request(.post, json: [Date()])
        #expect(resource.allRequests.isEmpty)
        await request.repeated().start().completion()
        #expect(recorder.events == [.observerAdded])
        #expect(resource.latestError == nil)
        expectNothingSent()
    }

    @Test func `An error of a request that cannot be sent says so`() async {
        let error = await resource.request(.post, json: [Date()]).completion().failure
        #expect(error?.userMessage == "Cannot send request")
        #expect(error?.httpStatusCode == nil)
    }

    // MARK: Content-Type priority

    /// The sources of the content type, lowest priority first.
    enum Setter: Int, CaseIterable {
        case configuredHeaders, argument, callersMutation, configuredMutation

        var type: String { "text/\(self)" }
    }

    @Test(arguments: 0..<16)
    func `Content-Type: a configured mutation beats the caller's, that the argument, that configured headers`(
        _ mask: Int
    ) throws {
        let setters = Setter.allCases.filter { mask & 1 << $0.rawValue != 0 }
        stub.service.configure {
            if setters.contains(.configuredHeaders) { $0.headers["Content-Type"] = Setter.configuredHeaders.type }
            if setters.contains(.configuredMutation) {
                $0.mutateRequests { $0.setValue(Setter.configuredMutation.type, forHTTPHeaderField: "Content-Type") }
            }
        }
        let mutation: Resource.RequestMutation = {
            if setters.contains(.callersMutation) {
                $0.setValue(Setter.callersMutation.type, forHTTPHeaderField: "content-type")
            }
        }
        if setters.contains(.argument) {
            _ = resource.request(.post, data: Data(), contentType: Setter.argument.type, requestMutation: mutation)
        } else {
            _ = resource.request(.post, requestMutation: mutation)
        }
        #expect(try contentType == setters.last?.type)
    }

    private var contentType: String? {
        get throws { try stub.lastRequest.value(forHTTPHeaderField: "Content-Type") }
    }

    private var body: String? {
        get throws { try stub.lastRequest.httpBody.map { String(decoding: $0, as: UTF8.self) } }
    }

    private func expectNothingSent() {
        #expect(stub.network.requests.isEmpty)
    }
}
