#if SQLite
import Foundation
import SiestaCaches

/// A connection for writing, with its statements.
struct WriterSession {
    let connection: Connection
    private let begin, end: Statement
    private let readTotal, writeTotal: Statement
    private let find, addEntry, changeEntry, touchEntry, removeEntry: Statement
    private let findRecord, writeRecord, removeRecord: Statement
    private let entries: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        begin = try connection.prepare("BEGIN IMMEDIATE")
        end = try connection.prepare("COMMIT")
        readTotal = try connection.prepare("SELECT entries, bytes, uses FROM total")
        writeTotal = try connection.prepare("UPDATE total SET entries = ?, bytes = ?, uses = ?")
        find = try connection.prepare("SELECT id, bytes FROM entry WHERE key = ?")
        addEntry = try connection.prepare("INSERT OR IGNORE INTO entry (key, id, bytes, lastUse) VALUES (?, ?, ?, ?)")
        changeEntry = try connection.prepare("UPDATE entry SET bytes = ?2, lastUse = ?3 WHERE key = ?1")
        touchEntry = try connection.prepare("UPDATE entry SET lastUse = ?2 WHERE key = ?1")
        removeEntry = try connection.prepare("DELETE FROM entry WHERE key = ?")
        findRecord = try connection.prepare("SELECT content FROM entry JOIN record USING (id) WHERE key = ?")
        // Unlike REPLACE, this statement does not write pages that stay the same.
        writeRecord = try connection.prepare(
            """
            INSERT INTO record (id, content) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET content = excluded.content
            """)
        removeRecord = try connection.prepare("DELETE FROM record WHERE id = ?")
        entries = try connection.prepare("SELECT key, bytes, lastUse FROM entry ORDER BY key")
    }

    /// The number and the size of the records, and the number of uses so far. The number of uses is the clock for
    /// finding the least recently used records.
    private struct Total {
        var usage: RecordUsage
        var uses: Int
    }

    /// Makes changes in one transaction, and records the last uses of the keys in `used`.
    func apply(
        _ changes: [RecordChange], used: [RecordKey], limits: RecordLimits
    ) throws(SQLiteError) {
        try changing { (total) throws(SQLiteError) in
            for key in used {
                total.uses += 1
                try touchEntry.run(key, total.uses)
            }
            for change in changes { try apply(change, &total) }
            try keep(to: limits, &total)
        }
    }

    /// Checks whether the file is intact, and counts its records.
    func checkAndRecount(_ limits: RecordLimits) throws(SQLiteError) {
        guard try connection.texts("PRAGMA quick_check(1)") == ["ok"] else {
            throw connection.damage("The database is damaged")
        }
        try changing { (total) throws(SQLiteError) in
            try connection.execute(
                """
                DELETE FROM record WHERE id NOT IN (SELECT id FROM entry);
                DELETE FROM entry WHERE id NOT IN (SELECT id FROM record)
                """)
            total.usage = RecordUsage(of: try candidates())
            try keep(to: limits, &total)
        }
    }

    private func changing(_ work: (inout Total) throws(SQLiteError) -> Void) throws(SQLiteError) {
        try connection.transaction(begin: begin, end: end) { () throws(SQLiteError) in
            var total: Total?
            try readTotal.each { (row) throws(SQLiteError) in
                let usage = RecordUsage(entries: try row.number(at: 0), bytes: try row.number(at: 1))
                total = Total(usage: usage, uses: try row.number(at: 2))
            }
            guard var total else { throw connection.damage("The totals are missing") }
            total.uses += 1  // Therefore there is always a change to commit and to synchronize.
            try work(&total)
            // Damage may have made the total negative. The next count corrects it.
            try writeTotal.run(max(0, total.usage.entries), max(0, total.usage.bytes), total.uses)
        }
    }

    // MARK: Single changes

    private func apply(_ change: RecordChange, _ total: inout Total) throws(SQLiteError) {
        switch change {
        case .write(let key, let data): try write(data, for: key, &total)
        case .update(let key, let old, let new):
            guard try findRecord.first(key, { $0.bytes(at: 0) }) == old else { return }
            if let new { try write(new, for: key, &total) } else { try remove(key, &total) }
        case .remove(let key): try remove(key, &total)
        case .removePartition(let partition): try remove(partition, &total)
        case .removeAll:
            try connection.execute("DELETE FROM entry; DELETE FROM record")
            total.usage = RecordUsage()
        }
    }

    /// Writes a record. Most records are new and need no look-up.
    private func write(_ data: Data, for key: RecordKey, _ total: inout Total) throws(SQLiteError) {
        total.uses += 1
        var id = total.uses
        try addEntry.run(key, id, data.count, total.uses)
        total.usage.bytes += data.count
        if connection.changeCount > 0 {
            total.usage.entries += 1
        } else if let old = try entry(key) {
            id = old.id
            try changeEntry.run(key, data.count, total.uses)
            total.usage.bytes -= old.bytes
        }
        try writeRecord.run(id, data)
    }

    private func remove(_ key: RecordKey, _ total: inout Total) throws(SQLiteError) {
        guard let old = try entry(key) else { return }
        try removeEntry.run(key)
        try removeRecord.run(old.id)
        total.usage.entries -= 1
        total.usage.bytes -= old.bytes
    }

    /// Removes a partition. The keys of a partition are next to each other.
    private func remove(_ partition: UInt128, _ total: inout Total) throws(SQLiteError) {
        let text = partition.hexadecimal
        let range = "key BETWEEN x'\(text)\(UInt128.min.hexadecimal)' AND x'\(text)\(UInt128.max.hexadecimal)'"
        total.usage.entries &-= try connection.number("SELECT count(*) FROM entry WHERE \(range)")
        // Unlike `sum`, `total` does not fail if the sum is no integer.
        total.usage.bytes &-= try connection.number("SELECT total(bytes) FROM entry WHERE \(range)")
        try connection.execute(
            """
            DELETE FROM record WHERE id IN (SELECT id FROM entry WHERE \(range));
            DELETE FROM entry WHERE \(range)
            """)
    }

    private func entry(_ key: RecordKey) throws(SQLiteError) -> (id: Int, bytes: Int)? {
        try find.first(key) { (row) throws(SQLiteError) in (try row.number(at: 0), try row.number(at: 1)) }
    }

    // MARK: Limits

    private func keep(to limits: RecordLimits, _ total: inout Total) throws(SQLiteError) {
        guard !limits.allow(total.usage) else { return }
        let candidates = try candidates()
        total.usage = RecordUsage(of: candidates)
        for surplus in limits.surplus(of: candidates) { try remove(surplus.key, &total) }
    }

    private func candidates() throws(SQLiteError) -> [RecordLimits.Candidate<Int>] {
        var result: [RecordLimits.Candidate<Int>] = []
        try entries.each { (row) throws(SQLiteError) in
            let key = try row.key(at: 0)
            // A damaged tree may contain cycles. Then its keys are out of order.
            if let last = result.last, last.key >= key { throw connection.damage("Keys are out of order") }
            result.append(.init(key: key, bytes: try row.number(at: 1), lastUse: try row.number(at: 2)))
        }
        return result
    }
}
#endif
