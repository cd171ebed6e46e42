#if os(Linux)
import CurlTransport
import Foundation
import TestKit
import Testing

/// The descriptions of the transport's values.
@Suite(.timeLimit(.test))
struct TransportTextTests {
    private static let control = "\n\u{1B}[31m\u{202E}\u{2028}"

    @Test func `No value of the transport shows secrets or control characters`() throws {
        let url = try #require(URL(string: "http://s3cret:s3cret@h/a?token=s3cret#s3cret"))
        let headers: HeaderList = ["Authorization": "s3cret", "X-Access-Token": "s3cret", "Link": "</a?b=s3cret>"]
        var options = TransportOptions()
        options.proxy = .url(url)
        options.clientCertificate = .init(certificateFile: "/a", password: "s3cret")
        let head = ResponseHead(url: url, status: 200, httpVersion: "1" + Self.control, headers: headers)
        let values: [Any] = [
            TransportRequest("GET", url, headers: headers, body: .data(Data("s3cret".utf8))), head,
            TransportResponse(head: head, body: Data("s3cret".utf8)), TransportRequest.Body.data(Data("s3cret".utf8)),
            TransportRequest.Body.file(url), headers, Array(headers), options,
            TransportError(.tls(.wrongHost), "The name \(Self.control) at \(url)"),
        ]
        for value in values {
            for text in [String(describing: value), String(reflecting: value)] {
                #expect(!text.contains("s3cret"), "\(text)")
                #expect(!text.contains("\u{1B}"), "\(text)")
                #expect(!text.contains("\u{202E}"), "\(text)")
                #expect(!text.contains("\u{2028}"), "\(text)")
            }
            var dumped = ""
            dump(value, to: &dumped)
            #expect(!dumped.contains("s3cret"), "\(dumped)")
            #expect(!dumped.contains("\u{1B}"), "\(dumped)")
            #expect(!dumped.contains("- \(UInt8(ascii: "s"))\n"), "the bytes of a body: \(dumped)")
        }
        #expect("\(values[0])" == "GET http://h/a?token=…#…")
    }

    @Test func `The message of an error stays as it is for programs`() {
        #expect(TransportError(.file, "a\nb").message == "a\nb")
    }
}
#endif
