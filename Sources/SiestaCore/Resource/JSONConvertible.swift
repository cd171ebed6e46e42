public import Foundation

/// A type that can be the body of a JSON request: a dictionary or an array. Its elements must be valid JSON values.
public protocol JSONConvertible {}

extension Dictionary: JSONConvertible {}
extension Array: JSONConvertible {}
extension NSDictionary: JSONConvertible {}
extension NSArray: JSONConvertible {}
