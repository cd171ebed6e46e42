#if os(Linux) || os(Android)
/// A growable buffer of plain values. Each access is compared with the count, also in optimized builds.
///
/// An array would check at each change whether it shares its storage, and a document could not change an element
/// through a constant. The pointer is unsafe, but only this type uses it, and only below `count`.
struct CheckedBuffer<Element: BitwiseCopyable>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>?
    private(set) var count = 0
    private var capacity = 0

    /// Creates an empty buffer with room for at least `capacity` elements.
    init(capacity: Int = 0) {
        if capacity > 0 { reserve(capacity) }
    }

    /// Creates a buffer with equal elements.
    init(repeating element: Element, count: Int) {
        guard count > 0 else { return }
        reserve(count)
        base?.initialize(repeating: element, count: count)
        self.count = count
    }

    deinit {
        base?.deallocate()
    }

    /// Accesses the element at a position. Traps if the position is not below the count.
    @inline(__always)
    subscript(index: Int) -> Element {
        get { pointer(to: index).pointee }
        nonmutating _modify { yield &pointer(to: index).pointee }
    }

    /// Replaces the element at a position. Where the buffer is a property of another object, the thread sanitizer of Swift
    /// 6.3 cannot compile a change through the subscript.
    @inline(__always)
    func set(_ element: Element, at index: Int) { pointer(to: index).pointee = element }

    /// Appends an element. Takes constant time on average.
    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(atLeast: count + 1) }
        (base.unsafelyUnwrapped + count).initialize(to: element)  // `grow` has made room, so there is a pointer.
        count &+= 1
    }

    /// Appends the elements of `source` from `start` up to, but not including, `end`.
    mutating func append(_ source: Span<Element>, from start: Int, to end: Int) {
        guard start < end else { return }
        if capacity - count < end - start { grow(atLeast: count + end - start) }
        let target = base.unsafelyUnwrapped + count  // `grow` has made room for all of them.
        source.extracting(start..<end).withUnsafeBufferPointer { buffer in
            if let first = buffer.baseAddress { target.update(from: first, count: buffer.count) }
        }
        count += end - start
    }

    /// Removes all elements from `count` on.
    mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count)
        self.count = count
    }

    /// Calls `body` with all elements.
    @inline(__always)
    func withSpan<Result>(_ body: (Span<Element>) -> Result) -> Result {
        // All `count` elements are initialized.
        body(Span(_unsafeElements: UnsafeBufferPointer(start: base, count: count)))
    }

    @inline(__always)
    private func pointer(to index: Int) -> UnsafeMutablePointer<Element> {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
        return base.unsafelyUnwrapped + index  // A count above 0 means that there is a pointer.
    }

    @inline(never)
    private mutating func grow(atLeast least: Int) {
        reserve(max(capacity + capacity / 2, least, 32))
    }

    private mutating func reserve(_ newCapacity: Int) {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
        if let base {
            memory.moveInitialize(from: base, count: count)
            base.deallocate()
        }
        base = memory
        capacity = newCapacity
    }
}

extension CheckedBuffer where Element: Equatable {
    /// Returns true if the `length` elements at one position equal those at another.
    func isEqual(at first: Int, to second: Int, length: Int) -> Bool {
        withSpan { elements in
            let (a, b) = (elements.extracting(first..<first + length), elements.extracting(second..<second + length))
            return a.indices.allSatisfy { a[$0] == b[$0] }
        }
    }
}
#endif
