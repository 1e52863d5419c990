import TrackModel

/// The meaning of a table column.
enum CSVColumnRole: Sendable, Hashable {
  case latitude, longitude
  /// Latitude and longitude in one column.
  case position
  /// `N` or `S` for a latitude, `E` or `W` for a longitude.
  case latitudeHemisphere, longitudeHemisphere
  /// Date and time of day.
  case time
  case date, timeOfDay
  /// The time since the start. Used as ``time`` if there is no other.
  case elapsed
  /// The time span at a position. The start is used as ``time`` if there is no other.
  case startTime, endTime
  /// The age of the position at the time of the row: `GPS_Delay`.
  case delay
  /// The time zone of local times.
  case zone
  case channel(Channel)
  /// The distance since the last row.
  case step
  case name, comment, description, source, symbol, type, fix, differentialStation, link
  /// Whether the row is a trackpoint, a routepoint or a waypoint.
  case kind
  /// Values whose change starts a new track or segment.
  case track, segment
  /// Values whose change starts a new segment, if time passed: `fragment_id`.
  case fragment
  /// The vehicle, ship, animal or device of a row, whose points are a track.
  case object
  case trackName
  /// The number of the lap.
  case lap
  /// Whether the row has a new position: `GPS_Update`.
  case update
  /// Whether the row has a position: `VALID`.
  case validity
  /// The time of the position, which rows without a new one repeat.
  case fixTime
  /// An attribute of ``DriveElement``, in the first row of a track.
  case drive(String)
  /// A row number.
  case ordinal

  /// The quantity that the column's unit measures, or `nil` for values without a unit.
  var quantity: CSVUnit.Quantity? {
    switch self {
    case .latitude, .longitude: .position
    case .time, .date, .timeOfDay, .elapsed, .startTime, .endTime, .delay: .time
    case .step: .length
    case .channel(let channel):
      switch channel {
      case .elevation, .horizontalAccuracy, .verticalAccuracy, .depth, .distance, .geoidHeight: .length
      case .speed: .speed
      case .course, .magneticVariation, .bearing: .angle
      case .heartRate, .cadence: .rate
      case .power: .power
      case .temperature, .waterTemperature: .temperature
      case .differentialAge: .duration
      case .hdop, .vdop, .pdop, .satellites: nil
      }
    default: nil
    }
  }

  /// Whether a text can be a value of the column. Only those of positions are examined.
  func reads(_ text: String) -> Bool {
    var numbers = CSVNumbers(usesDecimalComma: false)
    let bytes = Array(text.utf8)
    return switch self {
    case .latitude: numbers.degrees(bytes.span, isLatitude: true) != nil
    case .longitude: numbers.degrees(bytes.span, isLatitude: false) != nil
    case .position: CSVNumbers.position(bytes.span) != nil
    default: true
    }
  }

  /// The heading of a channel's column in written tables.
  static func heading(of channel: Channel) -> String {
    // In most tables "bearing" is the direction of travel.
    channel == .bearing ? "destination_bearing" : channel.title.lowercased().replacing(" ", with: "_")
  }

  /// The meaning of a heading, given as its joined lower-case words, or `nil` if it is unknown.
  static func named(_ joined: String) -> CSVColumnRole? { spellings[joined] }

  private static let spellings: [String: CSVColumnRole] = {
    var table: [String: CSVColumnRole] = [:]
    func add(_ meaning: CSVColumnRole, _ words: String) {
      for word in words.split(separator: " ") { table[String(word)] = meaning }
    }
    add(
      .latitude,
      """
      lat latitude latitud latitudine breite breitengrad geobreite geographischebreite y ycoord \
      coordy latns latitudens latdecimal latitudedecimal \
      широта szerokość szerokośćgeograficzna 纬度 緯度
      """)
    add(
      .longitude,
      """
      lon long lng longitude longitud longitudine länge laenge längengrad laengengrad geolänge \
      geolaenge geographischelänge geographischelaenge x xcoord coordx lonew longitudeew longew \
      londecimal longitudedecimal longtitude \
      долгота długość długośćgeograficzna 经度 經度 経度
      """)
    add(
      .position,
      """
      position location coordinate coordinates coord coords latlon latlng latlong latitudelongitude \
      koordinaten koordinate
      """)
    add(.latitudeHemisphere, "ns latref latituderef latitudehemisphere lathemisphere nsindicator northsouth")
    add(.longitudeHemisphere, "ew lonref longituderef longitudehemisphere lonhemisphere ewindicator eastwest")
    add(
      .time,
      """
      time timestamp datetime dateandtime datetimeutc utc gmt utctime timeutc zeit zeitpunkt \
      zeitstempel datumzeit datumuhrzeit datumundzeit epoch epochtime unixtime unixtimestamp \
      posixtime basedatetime createdat recordedat measuredat fixtime recordtime capturedat loggedat dateheure \
      fechahora utcdatetime isotime horodatage dataora tst isotst timestampsince1970 \
      datahora время датаивремя czas 时间 時間 時刻 日時
      """)
    add(
      .elapsed,
      "seconds ts tsec tseconds tms elapsed elapsedtime elapsedseconds relativetime sessiontime offset")
    add(.startTime, "start starttime starttimestamp startdatetime startedat begin startzeit")
    add(.endTime, "end endtime endtimestamp enddatetime endedat finish endzeit")
    add(.delay, "gpsdelay")
    add(.zone, "timezone timezoneid timezonename tz tzid zeitzone ofst utcofst utcoffset gmtoffset")
    add(.date, "date datum fecha utcdate dateutc gmtdate yymmdd yyyymmdd ddmmyy ddmmyyyy data дата 日期 日付")
    add(.timeOfDay, "clock uhrzeit timeofday clocktime hora heure ora hour godzina")
    addChannels()
    add(.name, "name title label titel bezeichnung nom nombre nome waypointname pointname")
    add(.comment, "cmt comment comments kommentar bemerkung")
    add(.description, "desc description descr beschreibung notes note remarks remark notiz")
    add(.source, "src source quelle")
    add(.symbol, "sym symbol icon")
    add(.type, "type category kategorie typ")
    add(.fix, "fixtype fix")
    add(.differentialStation, "dsta dgpsid differentialstation")
    add(.link, "link url href")
    add(.kind, "kind pointkind pointtype featuretype")
    add(
      .track,
      """
      track trackid trackno tracknumber tracknum trackindex trackfid trkid trip tripid ride rideid \
      journey journeyid drive driveid session sessionid routeid activityid
      """)
    add(
      .object,
      """
      vehicleid mmsi deviceid individuallocalidentifier trajid trajectoryid animalid vesselid shipid busid \
      taxiid trackerid icao24 imei
      """)
    for attribute in DriveElement.attributes {
      add(.drive(attribute), "\(DriveElement.columnPrefix.dropLast())\(attribute)")
    }
    add(.trackName, "trackname routename tripname activityname drivename")
    add(
      .segment,
      "segment seg segmentid segmentno segmentnumber segmentindex trackseg tracksegid tracksegment trksegid"
    )
    add(.fragment, "fragmentid sessionfragment")
    add(.lap, "lap lapnumber lapno lapnum lapid lapindex lapcount runde rundennummer")
    add(.update, "gpsupdate")
    add(.validity, "gpsfix gpsvalid valid validfix fixvalid")
    add(.fixTime, "timeoffix")
    add(
      .ordinal,
      """
      index idx no nr number num row rowid rowno rownumber id fid pointid pointno pointnumber \
      pointindex sequence seq seqno tracksegpointid routepointid trackpoint point record recordno \
      lfdnr ordinal n
      """)
    return table

    func addChannels() {
      func channel(_ channel: Channel, _ words: String) { add(.channel(channel), words) }
      channel(
        .elevation,
        """
        ele elev elevation alt altitude height höhe hoehe altitud quota z msl altitudemsl altmsl \
        heightmsl elevationmsl hmsl altitudeabovesealevel höhenmeter hoehenmeter altitudine élévation elevación \
        высота wysokość 海拔 高度 標高
        """)
      channel(
        .speed,
        """
        speed velocity vel geschwindigkeit groundspeed speedoverground sog velocidad vitesse \
        velocità velocita geschw gndspd gspd hspeed 2d 2dspeed speed2d velocidade скорость prędkość 速度
        """)
      channel(
        .course,
        """
        course heading bearing cog courseoverground groundcourse direction richtung kurs azimuth azimut \
        truecourse trackangle trackmadegood hdg headingtrue trueheading fahrtrichtung cap rumbo rotta курс 方向
        """)
      channel(.bearing, "destinationbearing bearingtodestination")
      channel(
        .heartRate,
        """
        hr heartrate heart pulse puls herzfrequenz heartfrequency bpm fréquencecardiaque \
        frecuenciacardíaca frecuenciacardiaca frequenzacardiaca frequênciacardíaca tętno пульс 心率 心拍 \
        心拍数
        """)
      channel(.cadence, "cad cadence trittfrequenz cadenza cadencia cadência kadencja каденс 踏频 ケイデンス")
      channel(.power, "power watt watts leistung pwr puissance potencia potência potenza moc мощность 功率 パワー")
      channel(
        .temperature,
        """
        temp temperature airtemp airtemperature atemp ambienttemperature temperatur température \
        temperatura температура 温度 気温
        """)
      channel(.waterTemperature, "watertemp watertemperature wtemp wassertemperatur")
      channel(.depth, "depth tiefe")
      channel(
        .distance,
        """
        dist distance distanz strecke totaldistance cumulativedistance distancetotal distancetraveled distancia \
        distância distanza dystans расстояние дистанция 距离 距離
        """)
      channel(
        .horizontalAccuracy,
        """
        accuracy acc hacc hacccuracy haccuracy horizontalaccuracy accuracyhorizontal genauigkeit \
        horizontalegenauigkeit precision eph positionaccuracy précision precisión precisione
        """)
      channel(
        .verticalAccuracy,
        """
        vacc vaccuracy verticalaccuracy accuracyvertical altitudeaccuracy elevationaccuracy epv \
        vertikalegenauigkeit
        """)
      channel(.hdop, "hdop horizontaldilutionofprecision dop")
      channel(.vdop, "vdop verticaldilutionofprecision")
      channel(.pdop, "pdop positiondilutionofprecision")
      channel(
        .satellites,
        """
        sat sats satellite satellites nsat nsats numsat numsats satused satsused satellitesused \
        usedsatellites lockedsatellites satelliten satellitenanzahl nsatused nsatusedview numsv
        """)
      channel(.geoidHeight, "geoidheight geoid geoidseparation undulation")
      channel(.magneticVariation, "magvar magneticvariation variation declination magneticdeclination")
      channel(.differentialAge, "dage ageofdgpsdata differentialage ageofdifferentialdata")
    }
  }()
}
