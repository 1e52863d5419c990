import TrackModel

extension TrackFormat {
  /// Tracks of Huawei Health: the file of its export, and the files of its app. Read only.
  public static let huawei = TrackFormat(
    name: "huawei", title: "Huawei Health tracks", fileExtensions: [],
    recognizes: { $0.holdsHuawei },
    reading: { input, options in LogReader(HuaweiSource(input, options: options), options: options) },
    writing: nil)
}

extension FileOpening {
  /// Whether the opening has lines of a track, or is an export with their name.
  fileprivate var holdsHuawei: Bool {
    if isJSON {
      let text = String(decoding: bytes, as: UTF8.self)
      // The first activities can lack positions.
      return ["HW_EXT_TRACK_DETAIL@is", "\"tp=lbs;k=", "\"partTimeMap\""].contains(where: text.contains)
    }
    return begins(with: "tp=")
      && bytes.split(separator: 0x0A, maxSplits: 1).first?.contains(UInt8(ascii: ";")) == true
  }
}
