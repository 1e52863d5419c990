public import TrackModel

/// Keeps the tracks of given kinds. Tracks without a kind are removed; waypoints and routes are kept.
///
/// A track whose kind is not known at its start is held in memory until its kind is known or the track ends.
public struct KindStage: TrackStage {
  private enum Verdict { case kept, leftOut, open }

  private let kinds: Set<String>
  private var verdict = Verdict.kept
  /// The start of a track whose kind is not known yet.
  private var held = StageOutput()
  private var total = 0
  /// The number of tracks that were removed.
  public private(set) var removed = 0
  /// The kind of all tracks according to another source, such as the table of an export.
  private var knownKind: String?

  /// The kinds that are drives, as named by Google Timeline, FIT, TCX, Strava and OsmAnd, in lower case
  /// without spaces, hyphens and underscores.
  public static let driving: Set<String> = [
    "driving", "inpassengervehicle", "invehicle", "inroadvehicle", "infourwheelervehicle", "incar", "intaxi",
    "motorcycling", "inmotorcycle", "intwowheelervehicle", "car", "automobile", "motorbike", "motorcycle",
    "drive", "motorsports", "auto", "offroad", "allterrainvehicle", "truckhgv", "karting",
    "adventuremotorcycling", "enduromotorcycling", "motocross", "offroadmotorcyclingdirtbiking",
    "roadmotorcycling", "sportmotorcycling", "touringmotorcycling", "trackracing", "motorscooter",
    "autofahren", "motorrad", "voiture", "moto", "coche", "macchina", "carro",
  ]

  /// The kinds that have several names, because programs name them differently: every kind of road vehicle,
  /// and the names of other activities. Strava's tables name activities in the language of the account: the
  /// names in German, French, Spanish, Italian, Dutch, Portuguese, Russian, Polish, Danish, Norwegian,
  /// Swedish, Chinese, Japanese and Korean are included.
  public static let groups: [String: Set<String>] = [
    "driving": driving,
    "cycling": [
      "cycling", "ride", "biking", "bike", "bicycle", "onbicycle", "roadbiking", "roadcycling", "gravelride",
      "gravelcycling", "mountainbikeride", "mountainbiking", "downhillbiking", "cyclocross", "bmx",
      "trackcycling", "recumbentcycling", "velomobile", "handcycle", "handcycling", "ebikeride", "ebiking",
      "emountainbikeride", "ebikefitness", "ebikemountain", "virtualride", "indoorcycling",
      "radfahrt", "radfahren", "fahrrad", "radtour", "ebikefahrt", "gravelfahrt", "mountainbikefahrt",
      "virtuelleradfahrt", "sortieàvélo", "vélo", "cyclisme", "vtt", "sortieàvéloélectrique",
      "sortieàvélovirtuelle", "ciclismo", "bicicleta", "vueltaciclista", "pedalata", "bicicletta", "fietsrit",
      "fietsen", "ebikerit", "mountainbikerit", "gravelrit", "virtuelefietsrit", "pedalada", "rit",
      "sortievélo", "giroinbici", "actividadciclista", "велозаезд", "заезд", "jazdanarowerze", "cykeltur",
      "sykkeltur",
      "cykelpass", "骑行", "騎乘", "ライド", "라이드",
    ],
    "running": [
      "running", "run", "jogging", "trailrun", "trailrunning", "trackrunning", "streetrunning", "virtualrun",
      "treadmillrunning", "indoorrunning",
      "lauf", "laufen", "traillauf", "virtuellerlauf", "courseàpied", "course", "trail", "carrera", "correr",
      "carreradetrail", "corsa", "corsasusentieri", "hardlopen", "hardloopsessie", "loop",
      "trailrunningsessie",
      "corrida", "corridadetrilha", "забег", "пробежка", "bieg", "løb", "løpetur", "löpning", "löprunda",
      "跑步",
      "ラン", "ランニング", "달리기",
    ],
    "walking": [
      "walking", "walk", "onfoot", "casualwalking", "speedwalking", "nordicwalking",
      "spaziergang", "gehen", "marche", "marcheàpied", "caminata", "caminar", "camminata", "wandeling",
      "wandelen",
      "caminhada",
    ],
    "hiking": [
      "hiking", "hike", "trekking", "backpacking", "wanderung", "wandern", "randonnée", "randonnéepédestre",
      "senderismo", "excursión", "escursione", "escursionismo", "hikesessie", "trilha",
    ],
  ]

  /// Returns the kinds for an option value: those of a group, or the value itself.
  public static func kinds(_ word: String) -> Set<String> {
    let kind = TrackInfo.plainType(word)
    return groups[kind] ?? [kind]
  }

  /// Returns whether a set of normalized kinds contains a kind from a file.
  public static func kinds(_ kinds: Set<String>, contain kind: String?) -> Bool {
    kind.map { kinds.contains(TrackInfo.plainType($0)) } ?? false
  }

  /// Creates a stage for one stream.
  ///
  /// - Parameter kinds: the kinds to compare with `TrackInfo.type`, in lower case without spaces, hyphens and
  ///   underscores.
  public init(_ kinds: Set<String>) { self.kinds = Set(kinds.map(TrackInfo.plainType)) }

  /// Returns a stage for tracks of a known kind, which replaces the kind in the file unless it is nil.
  public func knowing(_ kind: String?) -> KindStage {
    var stage = self
    stage.knownKind = kind
    return stage
  }

  public var summary: String? {
    removed == 0 ? nil : "kind: \(removed) of \(Counted.of(total, "track")) removed"
  }

  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    switch verdict {
    case .kept: break
    case .open: held.move(&batch)
    case .leftOut: batch.removeAll()
    }
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .beginTrack(let info):
      total += 1
      verdict = verdict(on: info)
    case .annotation(.track(let info)) where verdict == .open:
      verdict = verdict(on: info)
      if verdict == .kept {
        output.append(held)
        held = StageOutput()
      }
    case .endTrack where verdict == .open: verdict = .leftOut
    default: break
    }
    switch verdict {
    case .kept: output.emit(event)
    case .open: held.emit(event)
    case .leftOut: held = StageOutput()
    }
    if case .endTrack = event {
      if verdict == .leftOut { removed += 1 }
      verdict = .kept
    }
  }

  public mutating func finish(_ output: inout StageOutput) {
    // Only an interrupted stream leaves a track open.
    if verdict != .kept { removed += 1 }
    verdict = .kept
    held = StageOutput()
  }

  private func verdict(on info: TrackInfo) -> Verdict {
    guard let kind = knownKind ?? info.type else { return .open }
    return kinds.contains(TrackInfo.plainType(kind)) ? .kept : .leftOut
  }
}
