/// Structured Fields (RFC 9651): the values of header fields as lists, dictionaries and items. Pure.
///
/// Parsing and serialization follow the algorithms of §4 exactly. A text that is not of the expected type is invalid as
/// a whole, as §4.2 requires. Both take time in proportion to the length of the text.
package enum StructuredField {
    /// A value without parameters (§3.3).
    package enum BareItem: Sendable, Hashable {
        /// A number of up to 15 digits (§3.3.1).
        case integer(Int)
        /// A number with up to three digits after the point (§3.3.2), in thousandths: 1.5 is 1500.
        case decimal(thousandths: Int)
        /// A text of printable ASCII characters (§3.3.3).
        case string(String)
        /// A short word without quotes (§3.3.4).
        case token(String)
        /// Bytes (§3.3.5).
        case byteSequence([UInt8])
        /// A Boolean value (§3.3.6).
        case boolean(Bool)
        /// A point in time, in seconds since 1 January 1970, UTC (§3.3.7).
        case date(Int)
        /// A text of any Unicode characters, to show to people (§3.3.8).
        case displayString(String)
    }

    /// Keys with values, in the order in which they were sent (§3.1.2 and §3.2). A key occurs once.
    package struct Members<Value: Sendable & Hashable>: Sendable, Hashable, ExpressibleByDictionaryLiteral {
        /// The keys in their order.
        package private(set) var keys: [String] = []
        private var values: [String: Value] = [:]

        package init() {}

        package init(dictionaryLiteral elements: (String, Value)...) {
            for (key, value) in elements { self[key] = value }
        }

        /// The value of a key; nil if there is no such key. A new value for a known key keeps its place.
        package subscript(_ key: String) -> Value? {
            get { values[key] }
            set {
                if values[key] == nil, newValue != nil { keys.append(key) }
                if values[key] != nil, newValue == nil { keys.removeAll { $0 == key } }
                values[key] = newValue
            }
        }
    }

    /// The parameters of an item or an inner list (§3.1.2).
    package typealias Parameters = Members<BareItem>

    /// A dictionary (§3.2).
    package typealias Dictionary = Members<Member>

    /// A value with parameters (§3.3).
    package struct Item: Sendable, Hashable {
        package var value: BareItem
        package var parameters: Parameters

        package init(_ value: BareItem, _ parameters: Parameters = [:]) {
            (self.value, self.parameters) = (value, parameters)
        }
    }

    /// A list of items inside a list or a dictionary (§3.1.1).
    package struct InnerList: Sendable, Hashable {
        package var items: [Item]
        package var parameters: Parameters

        package init(_ items: [Item], _ parameters: Parameters = [:]) {
            (self.items, self.parameters) = (items, parameters)
        }
    }

    /// A member of a list or a dictionary.
    package enum Member: Sendable, Hashable {
        case item(Item)
        case innerList(InnerList)

        /// The item; nil for an inner list.
        package var item: Item? { if case .item(let item) = self { item } else { nil } }
    }
}

extension StructuredField.BareItem {
    /// The value if it is an integer of at least 0.
    var count: Int? {
        guard case .integer(let number) = self, number >= 0 else { return nil }
        return number
    }

    /// The text of a string, a token or a display string; nil for other types.
    package var text: String? {
        switch self {
        case .string(let text), .token(let text), .displayString(let text): text
        default: nil
        }
    }

    /// The number of an integer or a decimal; nil for other types.
    package var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .decimal(let thousandths): Double(thousandths) / 1000
        default: nil
        }
    }

    /// Returns a decimal, rounded to three digits after the point; a value in the middle is rounded to the even digit
    /// (§4.1.5). Returns nil if the number does not fit.
    package static func decimal(_ number: Double) -> StructuredField.BareItem? {
        let thousandths = (number * 1000).rounded(.toNearestOrEven)
        guard abs(thousandths) < 1e15 else { return nil }
        return .decimal(thousandths: Int(thousandths))
    }
}

extension StructuredField.Item {
    /// Returns a parameter if it is an integer of at least 0.
    func count(_ name: String) -> Int? { parameters[name]?.count }
}
