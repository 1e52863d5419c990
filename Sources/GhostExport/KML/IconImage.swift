/// What marks points, white with a dark rim: viewers multiply it with the colour of a style.
enum IconImage {
  private static let size = 64
  private static let radius = 26.0
  private static let rim = 7.0

  static func image(_ icon: KMLIcon) -> PNGImage {
    var image = PNGImage(width: size, height: size, background: PNGImage.Pixel(ExportColor(0), alpha: 0))
    for y in 0..<size {
      for x in 0..<size {
        let right = Double(x) + 0.5 - Double(size) / 2
        let down = Double(y) + 0.5 - Double(size) / 2
        let distance =
          switch icon {
          case .ghost: (right * right + down * down).squareRoot()
          case .anchor: (abs(right) + abs(down)) * 0.7071 * 1.2
          case .stop: max(abs(right), abs(down)) * 1.2
          }
        // Over a pixel from full to nothing, so that edges are smooth.
        let cover = min(max(radius + 0.5 - distance, 0), 1)
        let white = min(max(radius - rim + 0.5 - distance, 0), 1)
        let shade = UInt8((40 + 215 * white).rounded())
        image[x, y] = PNGImage.Pixel(
          ExportColor(red: shade, green: shade, blue: shade), alpha: UInt8((cover * 255).rounded()))
      }
    }
    return image
  }
}
