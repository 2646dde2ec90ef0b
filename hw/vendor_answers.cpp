#include "hw/vendor_answers.h"

#include "hw/inquiry.h"

namespace rch::hw {
namespace {

/// What is not known yet.
struct Open {
  std::vector<std::size_t> indices;
  std::vector<SmpRequest> requests;
};

/// Fills in what is known.
Open open_questions(const LiveFabric& live, std::vector<Image>& questions, const WrittenTables* written) {
  const KnownTables known(live, written);
  Open open;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    Image& image = questions[i];
    if (const SmpData* said = known.block(image)) {
      image.data = *said;
    } else {
      open.requests.push_back(
          request_to(live, image.port, image.attribute, image.modifier, open.indices.size()));
      open.indices.push_back(i);
    }
  }
  return open;
}

}  // namespace

Task<Result<VendorAnswers>> ask_vendor(Exchange& exchange, const LiveFabric& live,
                                       std::vector<Image> questions, const WrittenTables* written) {
  VendorAnswers result{std::move(questions), {}};
  if (result.said.empty()) co_return result;
  const auto begin = [&] { return open_questions(live, result.said, written); };
  Open open = co_await exchange.work(begin);
  if (open.requests.empty()) co_return result;
  const auto answers = co_await ask(exchange, std::move(open.requests));
  if (!answers) co_return tl::unexpected(answers.error());
  for (std::size_t i = 0; i < open.indices.size(); ++i) {
    Image& image = result.said[open.indices[i]];
    if ((*answers)[i].good()) image.data = (*answers)[i].data;
    if (!(*answers)[i].answered) result.silent.push_back(image.port);
  }
  co_return result;
}

}  // namespace rch::hw
