// SPDX-License-Identifier: Apache-2.0
//
// Writes the corpus of the decoder's fuzzer: commands of decode, one of each kind, and some drawn at random.
// The same program writes the same files.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "command/plausible_command.hpp"
#include "command/sample_commands.hpp"
#include "petal/command/error.hpp"
#include "ring_image.hpp"

using namespace petal;
using namespace petal::test;

namespace {

constexpr std::uint32_t kSeed = 20261208;
constexpr std::uint64_t kArena = 65536;

class Corpus {
 public:
  explicit Corpus(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
  }

  void write(const std::string& name, const fuzz::RingImageWriter& image) {
    const std::vector<std::byte> bytes = image.take();
    std::ofstream out(folder_ / name, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) throw std::runtime_error("cannot write " + (folder_ / name).string());
  }

 private:
  std::filesystem::path folder_;
};

void write_samples(Corpus& corpus) {
  for (const PeCommand& command : one_of_each_kind()) {
    fuzz::RingImageWriter image(false);
    image.add(command);
    corpus.write(kind_name(command), image);
  }
  fuzz::RingImageWriter slices(false);
  slices.add(merge_values_composite(), {54, 56, 56, 68, 20, 68});
  corpus.write("slices", slices);
  fuzz::RingImageWriter tile(false);
  tile.add(scores_composite(true));
  for (const PeCommand& command : merge_commands()) tile.add(command);
  tile.add(values_composite());
  corpus.write("tile", tile);
}

void write_random(Corpus& corpus) {
  PlausibleCommands random(kSeed, kArena);
  for (int file = 0; file < 40;) {
    fuzz::RingImageWriter image(file % 2 == 0);
    try {
      image.add(random.command());
      image.add(random.command());
    } catch (const EmitError&) {
      continue;  // a tensor that no memory holds
    }
    corpus.write("random" + std::to_string(file++), image);
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  Corpus corpus(argv[1]);
  write_samples(corpus);
  write_random(corpus);
  return 0;
}
