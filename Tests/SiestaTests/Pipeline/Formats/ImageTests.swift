import CacheTorture
import Foundation
import SiestaCore
import TestKit
import Testing

#if !canImport(UIKit) && !canImport(AppKit)
@Suite(.timeLimit(.test))
struct ImageTests {
    /// A real image of 3 × 2 pixels.
    struct Sample: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let format: ImageContent.Format
        let data: Data
    }

    @Test(arguments: samples)
    func `An image is recognised, with its size`(sample: Sample) throws {
        let image = try #require(ImageContent(data: sample.data))
        #expect(image.format == sample.format)
        #expect(image.pixelWidth == 3)
        #expect(image.pixelHeight == 2)
        #expect(image.size == CGSize(width: 3, height: 2))
        #expect(image.data == sample.data)
    }

    @Test(arguments: samples)
    func `An image in a slice of other data is recognised`(sample: Sample) {
        #expect(ImageContent(data: (Data([1, 2, 3]) + sample.data).dropFirst(3))?.pixelWidth == 3)
    }

    @Test(arguments: samples)
    func `An image that is cut short anywhere is refused`(sample: Sample) {
        for length in 0..<sample.data.count {
            #expect(
                ImageContent(data: sample.data.prefix(length)) == nil, "cut to \(length) of \(sample.data.count) bytes")
        }
    }

    @Test func `A PNG with a damaged header is refused`() throws {
        let sample = try #require(Self.samples.first { $0.format == .png })
        for position in 16..<33 {
            var data = sample.data
            data[position] ^= 1
            #expect(ImageContent(data: data) == nil)
        }
    }

    @Test func `An image without width or height is refused`() throws {
        let gif = try #require(Self.samples.first { $0.format == .gif })
        var data = gif.data
        data[6] = 0
        #expect(ImageContent(data: data) == nil)
    }

    @Test func `A bitmap that is stored top row first has its height`() throws {
        let bitmap = try #require(Self.samples.first { $0.format == .bmp })
        var data = bitmap.data
        data.replaceSubrange(22..<26, with: [0xFE, 0xFF, 0xFF, 0xFF])
        #expect(ImageContent(data: data)?.pixelHeight == 2)
    }

    @Test(arguments: ["", "GIF", "plain text", "<html></html>", "RIFF....WEBP", "BM"])
    func `What is no image is refused`(text: String) {
        #expect(ImageContent(data: Data(text.utf8)) == nil)
    }

    @Test(arguments: samples)
    func `Damaged images neither crash nor hang`(sample: Sample) {
        let seed: Comment = "seed \(TestSeed.current)"
        var random = SeededGenerator(seed: TestSeed.current)
        for _ in 0..<TestLevel.count(500, nightly: 2_500) {
            var data = sample.data
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let image = ImageContent(data: data) {
                #expect(image.size.width >= 1, seed)
                #expect(image.size.height >= 1, seed)
                #expect(image.size.width < 4_294_967_296, seed)
                #expect(image.size.height < 4_294_967_296, seed)
            }
        }
    }

    nonisolated static let samples: [Sample] = [
        sample(
            "PNG", .png,
            """
            iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAE0lEQVR4nGM8IafRwAAFTAxIAAAlPgGSb01lAwAAAABJRU5ErkJg
            gg==
            """),
        sample(
            "JPEG, baseline", .jpeg,
            """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6j
            q62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk
            pKSkpKSkpKT/wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA
            FQEBAQAAAAAAAAAAAAAAAAAAAwX/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCEACw//9k=
            """),
        sample(
            "JPEG, progressive", .jpeg,
            """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6j
            q62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk
            pKSkpKSkpKT/wgARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAVAQEBAAAAAAAAAAAAAAAAAAADBP/a
            AAwDAQACEAMQAAABgDs//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABBQJ//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgB
            AwEBPwF//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAgEBPwF//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAGPwJ//8QA
            FBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPyF//9oADAMBAAIAAwAAABAL/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAwEB
            PxB//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAgEBPxB//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxB//9k=
            """),
        sample(
            "GIF", .gif,
            """
            R0lGODdhAwACAIEAAMwAAMwAM8wzMwAAACwAAAAAAwACAAAICQAFBBAgAICAgAA7
            """),
        sample(
            "GIF, animated", .gif,
            """
            R0lGODdhAwACAIEAAMgeKAAAAAAAAAAAACwAAAAAAwACAAAIBgABCBwYEAAh+QQBAAAAACwAAAAAAwACAAAIBgABCBwYEAA7
            """),
        sample(
            "WebP, lossy", .webp,
            """
            UklGRjAAAABXRUJQVlA4ICQAAABwAQCdASoDAAIAB0CWJaACdAF1AAD+4uBIw1uv6u/O36ntgAA=
            """),
        sample(
            "WebP, lossless", .webp,
            """
            UklGRh4AAABXRUJQVlA4TBEAAAAvAkAAAAdQjyIXpf+BiOh/AAA=
            """),
        sample(
            "WebP, extended", .webp,
            """
            UklGRlIAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAgICAgICAAFZQOCAkAAAAcAEAnQEqAwACAAdAliWgAnQBdQAA
            /uLgSMNbr+rvzt+p7YAA
            """),
        sample(
            "BMP", .bmp,
            """
            Qk1OAAAAAAAAADYAAAAoAAAAAwAAAAIAAAABABgAAAAAABgAAADEDgAAxA4AAAAAAAAAAAAAKB7IKB7IKB7IAAAAKB7IKB7IKB7I
            AAAA
            """),
    ]

    private static func sample(_ name: String, _ format: ImageContent.Format, _ text: String) -> Sample {
        let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
        return Sample(testDescription: name, format: format, data: data)
    }
}
#endif
