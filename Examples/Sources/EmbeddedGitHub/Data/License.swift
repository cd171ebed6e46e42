/// The licenses that occur; the raw value is the SPDX identifier.
enum License: String, Sendable, CaseIterable {
    case mit = "MIT"
    case apache = "Apache-2.0"
    case bsd = "BSD-3-Clause"
    case mozilla = "MPL-2.0"
    case gpl = "GPL-3.0"

    /// The full name.
    var name: String {
        switch self {
        case .mit: "MIT License"
        case .apache: "Apache License 2.0"
        case .bsd: "BSD 3-Clause \"New\" or \"Revised\" License"
        case .mozilla: "Mozilla Public License 2.0"
        case .gpl: "GNU General Public License v3.0"
        }
    }
}
