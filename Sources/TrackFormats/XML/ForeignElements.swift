import TrackModel

/// The open elements that are not part of the format, built while they are read, within a memory budget.
struct ForeignElements {
  /// The result of ending an element.
  enum Ending {
    /// The element was added to its parent.
    case inner
    case whole(ExtensionElement)
    /// The outermost element exceeded the budget.
    case leftOut
  }

  var budget: KeptBudget
  /// The open elements, outermost first; empty if they exceeded the budget.
  private var open: [ExtensionElement] = []
  private var depth = 0
  /// The container that is charged for the open elements, and the memory reserved in it.
  private var level = KeptBudget.Level.file
  private var size = 0

  init(_ limits: ReadingLimits) { budget = KeptBudget(limits) }

  /// Whether an element is open.
  var isOpen: Bool { depth > 0 }

  /// Begins an element inside the open element, if any.
  ///
  /// - Parameter level: the container of the outermost element.
  mutating func begin(_ element: ExtensionElement, at level: KeptBudget.Level) {
    if depth == 0 {
      self.level = level
      size = 0
    }
    // If the outer elements were dropped, the new one must not become the outermost.
    let hasRoom = (depth == 0 || !open.isEmpty) && self.level != .dropped && reserve(KeptBudget.entrySize)
    depth += 1
    if hasRoom { open.append(element) }
  }

  /// Reserves memory for content of the open element. If there is not enough, drops the outermost element.
  mutating func reserve(_ size: Int) -> Bool {
    guard depth == 0 || !open.isEmpty else { return false }
    guard budget.reserve(size, at: level) else {
      budget.release(self.size, at: level)
      self.size = 0
      open = []
      return false
    }
    self.size += size
    return true
  }

  /// Adds a child to the open element. Its memory must have been reserved.
  mutating func add(_ child: ExtensionElement) {
    if let last = open.indices.last { open[last].content.append(.element(child)) }
  }

  mutating func add(text: String) {
    if let last = open.indices.last { open[last].content.append(.text(text)) }
  }

  mutating func add(_ attribute: ExtensionElement.Attribute) {
    if let last = open.indices.last { open[last].attributes.append(attribute) }
  }

  /// Ends the innermost open element.
  mutating func end() -> Ending {
    depth -= 1
    guard let element = open.popLast() else { return depth == 0 && level != .dropped ? .leftOut : .inner }
    if depth == 0 { return .whole(element) }
    add(element)
    return .inner
  }
}
