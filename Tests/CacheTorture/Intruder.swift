public import Foundation

/// The actions of another user in a shared folder, and a victim: a folder outside of it whose files must not change.
public struct Intruder: Sendable {
    /// The victim's folder.
    public let victim: URL
    private let names: [String]
    private static let content = Data("precious".utf8)

    /// Creates a victim in `folder`, with files of these names.
    public init(in folder: URL, files names: [String]) throws {
        victim = folder.appendingPathComponent("victim-\(UUID().uuidString)")
        self.names = names + ["removed-1", "old"]
        try FileManager.default.createDirectory(at: victim, withIntermediateDirectories: true)
        for name in self.names { try Self.content.write(to: victim.appendingPathComponent(name)) }
        // Old enough to look like a file that a process has left behind.
        let old = Date(timeIntervalSinceNow: -7200)
        for name in self.names {
            try FileManager.default.setAttributes(
                [.modificationDate: old], ofItemAtPath: victim.appendingPathComponent(name).path)
        }
    }

    /// True if the victim's files have not changed.
    public var isVictimUnharmed: Bool {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: victim.path))?.sorted()
        return found == names.sorted()
            && names.allSatisfy { (try? Data(contentsOf: victim.appendingPathComponent($0))) == Self.content }
    }

    /// Replaces the entry at `path` by a link to the victim, or to one of its files.
    public func plantLink(at path: String, to name: String? = nil) throws {
        try? FileManager.default.removeItem(atPath: path)
        let target = name.map { victim.appendingPathComponent($0) } ?? victim
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target.path)
    }

    /// True if this process may change the owner of files.
    public static var canGiveAway: Bool { geteuid() == 0 }

    /// A user other than that of this process.
    public static let otherUser: UInt32 = 65_534

    /// Makes another user the owner of a file, folder or link.
    public static func giveAway(_ path: String) {
        lchown(path, otherUser, otherUser)
    }
}
