/// Stands for the framework Security of Apple platforms.
public import Foundation

public let errSecSuccess: Int32 = 0
public let errSecItemNotFound: Int32 = -25300
public let errSecDecode: Int32 = -26275

// On Apple platforms, these are variables of C, which Swift imports as constants.
nonisolated(unsafe) public let kSecClass: NSString = ""
nonisolated(unsafe) public let kSecClassGenericPassword: NSString = ""
nonisolated(unsafe) public let kSecAttrService: NSString = ""
nonisolated(unsafe) public let kSecAttrAccount: NSString = ""
nonisolated(unsafe) public let kSecAttrAccessible: NSString = ""
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: NSString = ""
nonisolated(unsafe) public let kSecMatchLimit: NSString = ""
nonisolated(unsafe) public let kSecMatchLimitOne: NSString = ""
nonisolated(unsafe) public let kSecReturnData: NSString = ""
nonisolated(unsafe) public let kSecValueData: NSString = ""

public func SecItemCopyMatching(
    _ query: NSDictionary, _ result: UnsafeMutablePointer<AnyObject?>?
) -> Int32 { fatalError() }

public func SecItemAdd(
    _ attributes: NSDictionary, _ result: UnsafeMutablePointer<AnyObject?>?
) -> Int32 { fatalError() }

public func SecItemUpdate(_ query: NSDictionary, _ attributes: NSDictionary) -> Int32 { fatalError() }
public func SecItemDelete(_ query: NSDictionary) -> Int32 { fatalError() }

public func SecCopyErrorMessageString(_ status: Int32, _ reserved: UnsafeMutableRawPointer?) -> NSString? {
    fatalError()
}
