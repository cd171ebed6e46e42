public import Foundation

/// What another user of a shared folder may do to it, and a victim: a folder outside with files that must stay as they
/// are.
public struct Intruder: Sendable {
    /// The victim.
    public let victim: URL
    private let names: [String]
    private static let content = Data("precious".utf8)

    /// Makes a victim in `folder`, with files of these names.
    public init(in folder: URL, files names: [String]) throws {
        victim = folder.appendingPathComponent("victim-\(UUID().uuidString)")
        self.names = names + ["removed-1", "old"]
        try FileManager.default.createDirectory(at: victim, withIntermediateDirectories: true)
        for name in self.names { try Self.content.write(to: victim.appendingPathComponent(name)) }
        // Old enough to count as something that a process left behind.
        let old = Date(timeIntervalSinceNow: -7200)
        for name in self.names {
            try FileManager.default.setAttributes(
                [.modificationDate: old], ofItemAtPath: victim.appendingPathComponent(name).path)
        }
    }

    /// Whether the victim is as it was.
    public var isVictimUnharmed: Bool {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: victim.path))?.sorted()
        return found == names.sorted()
            && names.allSatisfy { (try? Data(contentsOf: victim.appendingPathComponent($0))) == Self.content }
    }

    /// Puts a link to the victim, or to a file of it, in the place of whatever is at `path`.
    public func plantLink(at path: String, to name: String? = nil) throws {
        try? FileManager.default.removeItem(atPath: path)
        let target = name.map { victim.appendingPathComponent($0) } ?? victim
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target.path)
    }

    /// Whether files can be given to another user.
    public static var canGiveAway: Bool { geteuid() == 0 }

    /// A user who is not this process's.
    public static let otherUser: UInt32 = 65_534

    /// Gives a file, folder or link to another user.
    public static func giveAway(_ path: String) {
        lchown(path, otherUser, otherUser)
    }
}
