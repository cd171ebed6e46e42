#if GTK
import CGTK
import Foundation
import Waiting

/// Screenshots, and their comparison with the reference pictures in the folder References.
///
/// Fonts, icons and the drawing library differ a little between versions of Debian's packages, so a small part of the pixels
/// may differ. A missing icon or another text changes more.
@MainActor enum Screenshot {
    /// True if the screenshots become the references.
    static var mustUpdate = false
    /// The folder of the screenshots of this run.
    static var output = URL(filePath: NSTemporaryDirectory())

    /// The part of the pixels that may differ.
    private static let tolerance = 0.006
    /// The difference of a colour up to which two pixels are equal, of 255.
    private static let colorTolerance = 40

    /// Takes screenshots of a window until one is like the reference of the same name. Throws if none is within two seconds.
    ///
    /// GTK fades out scroll bars and the glow at the end of a list, which the settings of animations do not stop.
    static func compare(_ window: TestWindow, _ name: String) async throws {
        if mustUpdate { try await update(window, name) }
        let reference = try Picture(references.appending(path: "\(name).png"))
        var part = 1.0
        for _ in 0..<20 where part > tolerance {
            part = try await difference(Picture(take(window, name)), reference)
            if part > tolerance { await Moment.after(.milliseconds(100)) }
        }
        try expect(
            part <= tolerance,
            "\(Int(part * 1000)) of 1000 pixels differ from the reference \(name); see \(output.path)")
    }

    /// Writes the reference when two screenshots in a row are equal.
    private static func update(_ window: TestWindow, _ name: String) async throws {
        var (last, current) = (Data(), Data())
        repeat {
            await Moment.after(.milliseconds(500))
            last = current
            current = try await Data(contentsOf: take(window, name))
        } while current != last
        try current.write(to: references.appending(path: "\(name).png"))
    }

    private static func take(_ window: TestWindow, _ name: String) async throws -> URL {
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        let file = output.appending(path: "\(name).png")
        try await Command.run(
            "import", "-window", "root", "-crop", "\(window.size.width)x\(window.size.height)+0+0", "+repage", "-strip",
            "-define", "png:exclude-chunks=date,time", file.path)
        return file
    }

    private static var references: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "References")
    }

    private static func difference(_ one: Picture, _ other: Picture) throws -> Double {
        try expectEqual([one.width, one.height], [other.width, other.height])
        var count = 0
        for (first, second) in zip(one.pixels, other.pixels) {
            if zip(first, second).contains(where: { abs(Int($0) - Int($1)) > colorTolerance }) { count += 1 }
        }
        return Double(count) / Double(one.width * one.height)
    }

    /// The pixels of a PNG file.
    private struct Picture {
        let (width, height): (Int, Int)
        let pixels: [[UInt8]]

        init(_ file: URL) throws {
            guard let texture = gdk_texture_new_from_filename(file.path, nil) else {
                throw Failure(description: "There is no picture \(file.path); run make desktop-test UPDATE=1")
            }
            defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
            (width, height) = (Int(gdk_texture_get_width(texture)), Int(gdk_texture_get_height(texture)))
            var bytes = [UInt8](repeating: 0, count: width * height * 4)
            gdk_texture_download(texture, &bytes, gsize(width * 4))
            pixels = stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 3]) }
        }
    }
}
#endif
