import TrackFormats
package import TrackModel

/// An example drive: one of two drives of the same way to work on two days, with a fix every two seconds.
///
/// Tuesday takes the main road and waits at two lights. Thursday drives around the lights: a longer way
/// without a stop. The roads are invented.
package struct ExampleDrive {
  private let name: String
  private let start: Instant
  /// The positions as an encoded polyline with six decimals.
  private let line: String

  package static let tuesday = ExampleDrive(
    name: "Tuesday", start: Instant(microseconds: 1_715_668_200_000_000),
    line: #"""
      _inpxAoupeM??????????????????????KmB_@}Hu@mOgAaUiAyUkAwUiAyUiAyUkAyUiAyUiAwUkAyUiAyUkAyUiAyUiAw\#
      UB_VRaVR_VRaVR_VRaVRaVR_VRaVR_VRaVR_VTaVRaVR_VRaVR_VRaVeGoRqGiRsGiRqGiRqGkRqGiRsGiRqGkRqGiRqGiR\#
      sGiRqGkRqGiRqGiRqGiRsGkRqGiRoBkUcBqUaBsUcBsUaBqUaBsUcBsUaBqUaBsUcBsUaBsU_ByTeAcOi@qHKwA????????\#
      ??????????????????????????????????????????OmBi@yHgAiO}A{TcBsUaBsUcBqUaBsUaBsUcBqUuDgTuFaSuFcSuF\#
      cSuFcSuFcSuFcSuFaSuFcSqFyRyDeNqBiHg@iB??????????????????????????????e@aBkBwGoDoMmFmRuFcSuFcSuFc\#
      SwFcSuFcSuFaSuFcSgC_UaBqUcBsUaBsUaBsUcBqUaBsUcBsUaBqUaBsUcBsUaBqUcBsUaBsUaBsUcBqUaBsUaBsUe@yUNa\#
      VP_VNaVNaVP_VNaVPaVN_VNaVPaVN_VPaVNaVN_VPaVNaVP_VNaVNaVN{SHiMDsF?c@??????????
      """#)

  package static let thursday = ExampleDrive(
    name: "Thursday", start: Instant(microseconds: 1_715_841_000_000_000),
    line: #"""
      kinpxA}xpeM_@}Hu@mOiAuUoAmWoAmWoAmWoAmWoAmWoAkWoAmWoAmWoAmWoAmWoAmWKqWRuWTuWTuWTuWTuWRsWTuWTuWT\#
      uWRuWTuWTuWTuWTuWRuWTsWaHySeHuSeHuSeHwSeHuSeHuSeHwSeHuSeHuSeHwSeHuSeHwSeHuSeHuSeHwS{HuQuO`BwO`B\#
      wO`BwO`BuO`BwO`BwO`BuO`BwO`BwObBwO`BuO`BwO`BsKqJiIoRkIoRiIoRkIoRkIoRiIoRkIoRkIoRiIoRkIoRkIoRiIo\#
      RkIoRkIoRiIoRkIoRiIoRkIoRwAwUj@sWj@sWl@sWj@sWl@sWj@qWj@sWl@sWj@sWl@sWj@sWj@sWl@qWj@sWl@sWj@sWj@\#
      sWl@sWj@qWxH_N~NyF~NyF~NwF~NyF~NyF~NyF~NyF~NyF~NyFhNkGiBgWiBgWiBeWiBgWiBeWiBgWgBeWiBgWiBeWiBgWi\#
      BeWiBgWiBeWiBgWiBgWiBeWcBgWPuWPuWPuWPuWPuWPuWPuWPuWPuWPuWPuWPuWPuWPuWPuWPuWPuWPuWNeUHqNF{G?aA??\#
      ??????????????????
      """#)

  /// Writes the drive as GPX.
  package func write(to path: String) throws(TrackError) {
    var reader = try TrackFormat.polyline6.reader(ByteInput(bytes: Array(line.utf8)))
    var writer = try TrackFormat.gpx.writer(ByteSink(path: path))
    var batch = PointBatch()
    var row = 0
    while let event = try reader.next(into: &batch) {
      switch event {
      case .beginTrack: try writer.write(.beginTrack(TrackInfo(name: name)), batch)
      case .points:
        var timed = PointBatch()
        for index in 0..<batch.count {
          let position = batch.coordinate(at: index)
          let time = Instant(microseconds: start.microseconds + Int64(row) * 2_000_000)
          timed.append(latitude: position.latitude, longitude: position.longitude, time: time.microseconds)
          row += 1
        }
        try writer.write(.points, timed)
      default: try writer.write(event, batch)
      }
    }
    try writer.finish()
  }
}
