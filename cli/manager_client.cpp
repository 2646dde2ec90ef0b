#include "cli/manager_client.h"

#include <chrono>
#include <thread>

#include "cli/control_socket.h"

namespace rch::cli {
namespace {

/// The time between two questions about a job that is under way.
constexpr std::chrono::milliseconds kAskAgain{50};

Result<Json> answer_to(const std::string& control, const Question& question) {
  auto answer = ask_control(control, question.request);
  while (answer && question.waits && answer->text("state") == "pending") {
    std::this_thread::sleep_for(kAskAgain);
    answer = ask_control(control, question.again(answer->number("job").value_or(0)));
  }
  if (!answer) return answer;
  const bool is_wrong_one = answer->find(kRefusedBy) != nullptr;
  if (const std::string error = answer->text("error"); !error.empty())
    return fail(is_wrong_one ? ErrorKind::usage : question.refusal, error);
  return answer;
}

}  // namespace

Exit ask_manager(Format format, const std::string& control, const Question& question,
                 const std::function<Exit(Output& output, const Json& answer)>& print) {
  Context context(format);
  const auto answer = answer_to(control, question);
  if (!answer) return context.end(context.stop(answer.error()), {});
  const Exit code = print(context.output, *answer);
  for (const auto& [member, value] : *answer->members()) context.output.json(member, value);
  return context.end(code, {});
}

}  // namespace rch::cli
