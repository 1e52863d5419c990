// Reads the positions of a GPX file with pugixml, which keeps the document in memory.
#include <cstdio>
#include <pugixml.hpp>

int main(int count, char **arguments) {
  pugi::xml_document document;
  if (count != 2 || !document.load_file(arguments[1])) return 65;
  double sum = 0;
  for (auto track : document.child("gpx").children("trk")) {
    for (auto segment : track.children("trkseg")) {
      for (auto point : segment.children("trkpt")) {
        sum += point.attribute("lat").as_double() + point.attribute("lon").as_double();
        sum += point.child("ele").text().as_double();
      }
    }
  }
  std::printf("%f\n", sum);
}
