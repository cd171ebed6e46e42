/// The field `Age`: the number of seconds since the origin server generated or confirmed a response (RFC 9111 §5.1).
package enum AgeField {
    /// Returns the number of seconds, at most 2³¹. The first member of a list counts. Returns nil if the field is
    /// missing or is not a non-negative integer; the rules then ignore it.
    package static func seconds(_ value: String?) -> UInt32? {
        value?.withUTF8Bytes { bytes in
            var reader = FieldReader(bytes)
            reader.skipSpaces()
            let number = reader.take(while: \.isASCIIDigit)
            reader.skipSpaces()
            return reader.isAtEndOfMember ? number.deltaSeconds : nil
        }
    }
}
