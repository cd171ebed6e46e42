/// The field `Clear-Site-Data` (W3C Clear Site Data §3.1), as far as a cache uses it.
package struct ClearSiteData: Sendable, Equatable {
    /// True if the server asks the client to clear its cache for the origin: `"cache"` or `"*"`.
    package private(set) var clearsCache = false

    /// Reads a field. Names without quotes and unknown names are ignored, and case counts.
    package init(_ value: String?) {
        value?.withUTF8Bytes { bytes in
            var reader = FieldReader(bytes)
            reader.skipToMember()
            while !reader.isAtEnd {
                let name = reader.takeQuoted()
                reader.skipSpaces()
                if let name, reader.isAtEndOfMember, Self.names.contains(where: name.isEqual) { clearsCache = true }
                reader.skipMember()
                reader.skipToMember()
            }
        }
    }

    private static let names = [Array("cache".utf8), Array("*".utf8)]
}

extension UnsafeRawBufferPointer {
    fileprivate func isEqual(to name: [UInt8]) -> Bool { elementsEqual(name) }
}
