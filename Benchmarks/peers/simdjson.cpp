// Reads the positions of a GeoJSON file with simdjson, which keeps the text in memory.
#include <cstdio>
#include <simdjson.h>

int main(int count, char **arguments) {
  if (count != 2) return 64;
  simdjson::ondemand::parser parser;
  auto text = simdjson::padded_string::load(arguments[1]);
  auto document = parser.iterate(text);
  double sum = 0;
  for (auto feature : document["features"]) {
    for (auto position : feature["geometry"]["coordinates"]) {
      for (auto value : position) sum += double(value.get_double());
    }
  }
  std::printf("%f\n", sum);
}
