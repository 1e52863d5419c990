import TrackModel

@testable import TrackFormats

/// A field of a file, a track or a point, with its name in the format table.
struct DocumentField<Root>: Sendable {
  let name: String
  /// Returns the value as text for comparison, or nil if the field is empty.
  let value: @Sendable (Root) -> String?
  /// Removes the value.
  let clear: @Sendable (inout Root) -> Void

  init(
    _ name: String, value: @escaping @Sendable (Root) -> String?,
    clear: @escaping @Sendable (inout Root) -> Void
  ) {
    self.name = name
    self.value = value
    self.clear = clear
  }

  init<Value: Sendable>(_ name: String, _ path: any WritableKeyPath<Root, Value?> & Sendable) {
    self.init(
      name, value: { root in root[keyPath: path].map { "\($0)" } }, clear: { $0[keyPath: path] = nil })
  }
}

extension DocumentField {
  /// The fields of links: the first link, its text and type, and the other links.
  static func links(_ path: any WritableKeyPath<Root, [TrackLink]> & Sendable) -> [DocumentField] {
    [
      DocumentField(
        "link", value: { $0[keyPath: path].first?.address }, clear: { $0[keyPath: path] = [] }),
      DocumentField(
        "link text", value: { $0[keyPath: path].first?.text },
        clear: { root in
          for index in root[keyPath: path].indices { root[keyPath: path][index].text = nil }
        }),
      DocumentField(
        "link type", value: { $0[keyPath: path].first?.mediaType },
        clear: { root in
          for index in root[keyPath: path].indices { root[keyPath: path][index].mediaType = nil }
        }),
      DocumentField(
        "further links",
        value: { root in
          let rest = root[keyPath: path].dropFirst()
          return rest.isEmpty ? nil : rest.map { "\($0.address) \($0.text ?? "")" }.joined(separator: "; ")
        },
        clear: { $0[keyPath: path] = Array($0[keyPath: path].prefix(1)) }),
    ]
  }

  static func extensions(_ path: any WritableKeyPath<Root, [ExtensionElement]> & Sendable) -> DocumentField {
    DocumentField(
      "extensions",
      value: { root in
        let elements = root[keyPath: path]
        return elements.isEmpty ? nil : Set(elements.flatMap(texts)).sorted().joined(separator: "; ")
      },
      clear: { $0[keyPath: path] = [] })
  }

  /// Returns the texts of an element. Values of KML and simple properties of GeoJSON, which are converted
  /// to each other, are separate texts.
  private static func texts(_ element: ExtensionElement) -> [String] {
    if let data = KMLPlacemark.Data(element) {
      return ["\(data.name)=\(data.value) \(data.displayName ?? "")"]
    }
    guard let (texts, rest) = GeoJSONMembers.parted(element, isText: { _, _ in true }) else {
      return [text(element)]
    }
    return texts.map { "\($0.name)=\($0.value) " } + (rest.map { [text($0)] } ?? [])
  }

  /// Returns an element without its prefix, which the writer chooses.
  private static func text(_ element: ExtensionElement) -> String {
    let attributes = element.attributes.map { " {\($0.namespace ?? "")}\($0.name)=\($0.value)" }.joined()
    let content = element.content.map { content in
      switch content {
      case .text(let text): text
      case .element(let child): text(child)
      }
    }
    return "<{\(element.namespace ?? "")}\(element.name)\(attributes)>\(content.joined())</>"
  }
}

extension DocumentField where Root == FileInfo {
  static let all: [DocumentField] =
    [
      // The writer is the creator of a file without one.
      DocumentField(
        "creator", value: { $0.creator == "ghost-convert" ? nil : $0.creator }, clear: { $0.creator = nil }),
      DocumentField("name", \.name), DocumentField("description", \.description),
      DocumentField(
        "author", value: { $0.author?.name }, clear: { $0.author = nil }),
      DocumentField("author's address", value: { $0.author?.email }, clear: { $0.author?.email = nil }),
      DocumentField("author's link", value: { $0.author?.link?.address }, clear: { $0.author?.link = nil }),
      DocumentField("copyright", value: { $0.copyright.map { "\($0)" } }, clear: { $0.copyright = nil }),
      DocumentField("time", \.time), DocumentField("keywords", \.keywords), .extensions(\.extensions),
    ] + links(\.links)
}

extension DocumentField where Root == TrackInfo {
  static let all: [DocumentField] =
    [
      DocumentField("name", \.name), DocumentField("comment", \.comment),
      DocumentField("description", \.description), DocumentField("source", \.source),
      DocumentField("number", \.number), DocumentField("type", \.type),
      DocumentField("colour", value: { $0.style?.color?.hexadecimal }, clear: { $0.style?.color = nil }),
      DocumentField(
        "opacity", value: { $0.style?.color.flatMap { $0.alpha == 255 ? nil : "\($0.alpha)" } },
        clear: { $0.style?.color?.alpha = 255 }),
      DocumentField("width", value: { $0.style?.width.map { "\($0)" } }, clear: { $0.style?.width = nil }),
      DocumentField(
        "begin", value: { $0.timeSpan?.begin.map { "\($0)" } }, clear: { $0.timeSpan?.begin = nil }),
      DocumentField("end", value: { $0.timeSpan?.end.map { "\($0)" } }, clear: { $0.timeSpan?.end = nil }),
      DocumentField(
        "laps",
        value: { info in
          let laps = info.laps.map { lap in
            var lap = lap
            lap.elapsedTime = nil
            return lap
          }
          return laps.isEmpty ? nil : "\(laps)"
        }, clear: { $0.laps = [] }),
      DocumentField(
        "elapsed times of laps",
        value: { info in
          let times = info.laps.map(\.elapsedTime)
          return times.contains { $0 != nil } ? "\(times)" : nil
        },
        clear: { info in
          for index in info.laps.indices { info.laps[index].elapsedTime = nil }
        }),
      DocumentField("coarseness", \.resolution), .extensions(\.extensions),
    ] + links(\.links)
}

/// All kinds of points are represented as ``Waypoint``.
extension DocumentField where Root == Waypoint {
  static let all: [DocumentField] =
    [
      DocumentField("time", \.time), DocumentField("name", \.details.name),
      DocumentField("comment", \.details.comment), DocumentField("description", \.details.description),
      DocumentField("source", \.details.source), DocumentField("symbol", \.details.symbol),
      DocumentField("type", \.details.type), DocumentField("fix", \.details.fix),
      DocumentField("differential station", \.details.differentialStation),
      .extensions(\.details.extensions),
    ] + links(\.details.links)
    + Channel.allCases.map { channel in
      DocumentField(
        channel.title, value: { $0.values[channel].map { "\($0)" } }, clear: { $0.values[channel] = nil })
    }

  /// The fields that are texts rather than measurements.
  static let words: Set<String> = Set(
    [
      "name", "comment", "description", "source", "symbol", "type", "fix", "differential station",
      "extensions",
    ]
      + links(\.details.links).map(\.name))
  /// The channels except the elevation.
  static let sensors: Set<String> = Set(Channel.allCases.map(\.title)).subtracting(["elevation"])
}
