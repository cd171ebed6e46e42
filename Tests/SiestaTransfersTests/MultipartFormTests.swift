import Foundation
import HTTPRules
import SiestaCore
import TestDoubles
import TestKit
import Testing

@testable import SiestaTransfers

/// The encoding of forms.
@Suite(.timeLimit(.test))
struct MultipartFormTests {
    private func text(of form: MultipartForm) async throws -> String {
        let body = try form.encoded()
        let content = try await body.content()
        #expect(body.length == Int64(content.count))
        return String(decoding: content, as: UTF8.self)
    }

    @Test func `Parts are sent in order, between boundaries, each with its headers`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("notes.txt", Data("from disk".utf8))
        var form = MultipartForm(boundary: "XX")
        form.append("a value", name: "first")
        form.append(
            Data("{}".utf8), name: "second", contentType: "application/json", headers: ["X-B": "2", "X-A": "1"])
        form.append(file: file, name: "third", contentType: "text/plain")
        form.append(file: file, name: "fourth", fileName: "other.bin")
        #expect(form.contentType == "multipart/form-data; boundary=XX")
        #expect(
            try await text(of: form)
                == [
                    "--XX", "Content-Disposition: form-data; name=\"first\"", "", "a value",
                    "--XX", "Content-Disposition: form-data; name=\"second\"", "Content-Type: application/json",
                    "X-A: 1",
                    "X-B: 2", "", "{}",
                    "--XX", "Content-Disposition: form-data; name=\"third\"; filename=\"notes.txt\"",
                    "Content-Type: text/plain", "", "from disk",
                    "--XX", "Content-Disposition: form-data; name=\"fourth\"; filename=\"other.bin\"",
                    "Content-Type: application/octet-stream", "", "from disk",
                    "--XX--", "",
                ].joined(separator: "\r\n"))
    }

    @Test func `A form without parts is its end alone`() async throws {
        #expect(try await text(of: MultipartForm(boundary: "XX")) == "--XX--\r\n")
    }

    @Test(arguments: [
        ("plain", "plain", "plain"), ("a\"b", "a%22b", "a%22b"), ("Grüße ☃", "Grüße ☃", "Grüße ☃"),
        ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"), ("a\nb", "a%0D%0Ab", "a%0Ab"), ("a\rb", "a%0D%0Ab", "a%0Db"),
        ("a\r", "a%0D%0A", "a%0D"), ("\n\n", "%0D%0A%0D%0A", "%0A%0A"), ("50%25\\", "50%25\\", "50%25\\"),
    ])
    func `Names are escaped as browsers do it`(_ name: String, _ asName: String, _ asFileName: String) async throws {
        var form = MultipartForm(boundary: "XX")
        form.append(Data(), name: name, fileName: name)
        #expect(
            try await text(of: form).contains(
                "Content-Disposition: form-data; name=\"\(asName)\"; filename=\"\(asFileName)\"\r\n"))
    }

    @Test func `No control character but a tab gets into the head of a part, whatever a name or a file name has`()
        async throws
    {
        for code in (0x00 as UInt8)...0x7F where code < 0x20 || code == 0x7F {
            var form = MultipartForm(boundary: "XX")
            let character = String(Unicode.Scalar(code))
            form.append(Data(), name: "n" + character, fileName: character + "f", contentType: "a/b")
            let lines = try await text(of: form).components(separatedBy: "\r\n")
            #expect(lines.count == 7)
            #expect(lines.allSatisfy(HeaderSyntax.isValue))
            #expect(lines[1].contains("name=\"n"))
            #expect(lines[1].contains("f\""))
            var refused = MultipartForm()
            refused.append(Data(), name: "part", contentType: "a/b" + character)
            if code != 0x09 {
                #expect(throws: RequestError.Failure.self) { try refused.encoded() }
            }
        }
    }

    @Test func `Values are sent byte for byte`() async throws {
        var form = MultipartForm(boundary: "XX")
        form.append("a\nb\rc\r\n", name: "x")
        #expect(try await text(of: form).contains("\r\n\r\na\nb\rc\r\n\r\n--XX--"))
    }

    @Test(arguments: [
        ("X", "a\r\nY: b"), ("X", "a\nb"), ("X Y", "a"), ("", "a"), ("X\r\n", "a"), ("Content-Type", "a"),
        ("content-disposition", "a"),
    ])
    func `A header that would smuggle in another, or is not the caller's to set, is refused`(
        _ name: String, _ value: String
    ) {
        var form = MultipartForm()
        form.append("text", name: "part", headers: [name: value])
        let error = #expect(throws: RequestError.Failure.self) { try form.encoded() }
        #expect(error?.code == .unencodableBody)
        #expect(error?.reason.contains("the part part") == true)
        #expect(error?.name == name)
    }

    @Test func `A content type with a line break is refused`() {
        var form = MultipartForm()
        form.append(Data(), name: "part", contentType: "a/b\r\nX: y")
        #expect(throws: RequestError.Failure.self) { try form.encoded() }
    }

    @Test func `A missing file and a folder are errors that name them`() throws {
        let folder = try TemporaryFolder()
        for (file, code) in [(folder.url.appendingPathComponent("nothing"), POSIXError.ENOENT), (folder.url, .EISDIR)] {
            var form = MultipartForm()
            form.append(file: file, name: "part")
            let error = #expect(throws: RequestError.Failure.self) { try form.encoded() }
            #expect(error?.file == file)
            #expect((error?.underlyingError as? POSIXError)?.code == code)
        }
    }

    @Test func `A file that changes before it is opened, or gets shorter while it is read, is an error`()
        async throws
    {
        let folder = try TemporaryFolder()
        let file = try folder.file("file", Data(count: 600_000))
        let body = SegmentedBody(segments: [try .file(file)])
        let reader = body.makeReader()
        var count = try #require(await reader.next()).count
        try Data(count: 10).write(to: file, options: .atomic)  // another file; the open one is unchanged
        while let piece = try await reader.next() { count += piece.count }
        #expect(count == 600_000)
        await #expect(throws: RequestError.Failure.self) { try await body.content() }
        let handle = try FileHandle(forWritingTo: try folder.file("file", Data(count: 600_000)))
        let other = SegmentedBody(segments: [try .file(file)]).makeReader()
        _ = try await other.next()
        try handle.truncate(atOffset: 1000)
        await #expect(throws: RequestError.Failure.self) { while try await other.next() != nil {} }
    }

    @Test
    func `A file that is overwritten in place while it is read is an error; one that only grows is not`() async throws {
        let folder = try TemporaryFolder()
        for (offset, isError) in [(UInt64(0), true), (600_000, false)] {
            let file = try folder.file("file", Data(count: 600_000))
            try FileManager.default.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: file.path)
            let reader = SegmentedBody(segments: [try .file(file)]).makeReader()
            var count = try await reader.next()?.count ?? 0
            let handle = try FileHandle(forWritingTo: file)
            try handle.seek(toOffset: offset)
            try handle.write(contentsOf: Data("new".utf8))
            try handle.close()
            var failure: (any Error)?
            do {
                while let piece = try await reader.next() { count += piece.count }
            } catch {
                failure = error
            }
            #expect(count == 600_000)
            #expect(((failure as? RequestError.Failure)?.code == .unreadableBody) == isError)
        }
    }

    @Test func `Boundaries are random, and of the characters and the length that are allowed`() {
        let boundaries = Set((0..<1000).map { _ in MultipartForm().boundary })
        #expect(boundaries.count == 1000)
        #expect(boundaries.allSatisfy { (30...70).contains($0.utf8.count) })
        #expect(boundaries.joined().utf8.allSatisfy { HeaderSyntax.isName(String(decoding: [$0], as: UTF8.self)) })
    }
}

extension StreamedBody {
    /// Returns the whole body, read once.
    func content() async throws -> Data {
        let reader = try makeReader()
        var result = Data()
        while let piece = try await reader.next() { result += piece }
        return result
    }
}
