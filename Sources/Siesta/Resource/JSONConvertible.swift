public import Foundation

/// What can be the body of a JSON request: a dictionary or an array, whose content must be JSON, too.
public protocol JSONConvertible {}

extension Dictionary: JSONConvertible {}
extension Array: JSONConvertible {}
extension NSDictionary: JSONConvertible {}
extension NSArray: JSONConvertible {}
