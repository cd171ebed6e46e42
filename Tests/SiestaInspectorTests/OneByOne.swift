import Testing

/// The suites that run one after another, because running inspectors change the log of the whole process.
@Suite(.serialized)
enum OneByOne {}
