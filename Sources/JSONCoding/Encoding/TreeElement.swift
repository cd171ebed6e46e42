#if os(Linux) || os(Android)
import Foundation

/// A type whose values are parts of trees, but seldom.
protocol TreeElement {
    /// Writes the value. Returns false if Foundation must decide.
    func write(_ writer: TreeWriter, _ depth: Int) -> Bool
}

extension Array: TreeElement {
    func write(_ writer: TreeWriter, _ depth: Int) -> Bool {
        writer.write(self, depth) { writer.write($0, depth + 1) }
    }
}

extension Dictionary: TreeElement where Key == String {
    func write(_ writer: TreeWriter, _ depth: Int) -> Bool {
        writer.write(self, depth) { writer.write($0, depth + 1) }
    }
}

extension TreeElement where Self: FixedWidthInteger {
    func write(_ writer: TreeWriter, _ depth: Int) -> Bool { writer.write(self) }
}

extension Int8: TreeElement {}
extension Int16: TreeElement {}
extension Int32: TreeElement {}
extension Int64: TreeElement {}
extension UInt: TreeElement {}
extension UInt8: TreeElement {}
extension UInt16: TreeElement {}
extension UInt32: TreeElement {}
extension UInt64: TreeElement {}

extension Float: TreeElement {
    func write(_ writer: TreeWriter, _ depth: Int) -> Bool { writer.write(self) }
}

extension Decimal: TreeElement {
    func write(_ writer: TreeWriter, _ depth: Int) -> Bool { writer.write(self) }
}

extension NSDecimalNumber: TreeElement {
    func write(_ writer: TreeWriter, _ depth: Int) -> Bool { writer.write(decimalValue) }
}
#endif
