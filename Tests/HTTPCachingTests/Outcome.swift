/// The result of a step that is expected by the rules.
struct Outcome: Sendable {
    enum Source: Sendable {
        case any
        /// The origin received no request.
        case cache
        /// The origin received at least one request.
        case origin
        /// The origin received a request with this field, which contains this text.
        case condition(String, String)
        /// The origin received a request, and none of its requests has this field.
        case withoutCondition(String)
    }

    var source = Source.any
    var status: Int?
    var body: String?
    /// The values of header fields; nil for a field that must be missing.
    var fields: [String: String?] = [:]
    /// The least age of the response, in seconds.
    var age: Int?

    static let any = Outcome()
    /// Stored data is used, and the origin is not asked.
    static let cached = Outcome(source: .cache)
    static let asked = Outcome(source: .origin)
    static func asked(with field: String, _ value: String = "") -> Outcome { Outcome(source: .condition(field, value)) }
    static func asked(without field: String) -> Outcome { Outcome(source: .withoutCondition(field)) }

    /// The result is the response to step `number`, whether or not the origin is asked.
    static func response(_ number: Int) -> Outcome { Outcome(body: "response \(number)") }

    func status(_ status: Int) -> Outcome {
        var outcome = self
        outcome.status = status
        return outcome
    }

    func response(_ number: Int) -> Outcome { body("response \(number)") }

    func body(_ body: String) -> Outcome {
        var outcome = self
        outcome.body = body
        return outcome
    }

    func has(_ name: String, _ value: String) -> Outcome {
        var outcome = self
        outcome.fields[name] = value
        return outcome
    }

    func lacks(_ name: String) -> Outcome {
        var outcome = self
        outcome.fields.updateValue(nil, forKey: name)
        return outcome
    }

    func age(atLeast age: Int) -> Outcome {
        var outcome = self
        outcome.age = age
        return outcome
    }
}

extension Outcome {
    /// Returns the differences between a result and this outcome.
    func differences(_ result: StepResult) -> [String] {
        var found: [String] = []
        if let difference = differenceOfSource(result.requests) { found.append(difference) }
        if let status, status != result.status { found.append("status \(result.status), expected \(status)") }
        if let body, body != result.body { found.append("body \"\(result.body)\", expected \"\(body)\"") }
        for (name, value) in fields where result.fields[name.lowercased()] != value {
            found.append("\(name): \(result.fields[name.lowercased()] ?? "–"), expected \(value ?? "–")")
        }
        if let age, (result.fields["age"].flatMap { Int($0) } ?? -1) < age {
            found.append("Age: \(result.fields["age"] ?? "–"), expected at least \(age)")
        }
        return found
    }

    private func differenceOfSource(_ requests: [[String: String]]) -> String? {
        switch source {
        case .any: nil
        case .cache: requests.isEmpty ? nil : "the origin was asked"
        case .origin: requests.isEmpty ? "the origin was not asked" : nil
        case .condition(let name, let value):
            requests.contains { field in
                field[name.lowercased()].map { value.isEmpty || $0.contains(value) } ?? false
            } ? nil : "no request with \(name) \(value), but \(requests.count) requests"
        case .withoutCondition(let name):
            !requests.isEmpty && requests.allSatisfy { $0[name.lowercased()] == nil }
                ? nil : "no request, or a request with \(name)"
        }
    }
}

/// The result of one step.
struct StepResult {
    /// The status of the response; 0 if there is no response.
    var status = 0
    /// The header fields of the response, by their names in lower case.
    var fields: [String: String] = [:]
    var body = ""
    /// The header fields of each request that the origin received during the step.
    var requests: [[String: String]] = []
}
