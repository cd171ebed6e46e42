public import Foundation

/// A type whose values can be sent as a JSON body: a dictionary or an array. All elements must be valid JSON values.
public protocol JSONConvertible {}

extension Dictionary: JSONConvertible {}
extension Array: JSONConvertible {}
extension NSDictionary: JSONConvertible {}
extension NSArray: JSONConvertible {}
