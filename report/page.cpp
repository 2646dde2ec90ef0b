#include "report/page.h"

#include <stdexcept>

#include <fmt/format.h>

#include "report/page_texts.h"

namespace rch::report {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return out;
}

/// JSON without the sign that begins a tag: inside of strings, the only place where it stands, it may be
/// written as an escape.
std::string without_tags(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string index_of(const Arrays& arrays) {
  std::string text = "{";
  for (const Arrays::Entry& entry : arrays.index())
    text += fmt::format("{}\"{}\":[\"{}{}\",{},{}]", text.size() > 1 ? "," : "", entry.name, entry.type,
                        entry.size * 8, entry.offset, entry.count);
  return text + "}";
}

/// What stands for `<!--name-->` in the page. Throws where the page names what there is not.
std::string part_of(std::string_view name, const PageParts& parts) {
  if (name == "title") return escaped(parts.title);
  if (name == "data") return without_tags(parts.data);
  if (name == "drawing") return parts.drawing.text();
  if (name == "drawing-index") return index_of(parts.drawing);
  if (name == "tables") return parts.tables.text();
  if (name == "tables-index") return index_of(parts.tables);
  const std::string_view text = page_text(name);
  if (text.empty()) throw std::logic_error(fmt::format("the page of the report has no part `{}`", name));
  return std::string(text);
}

}  // namespace

std::string page(const PageParts& parts) {
  constexpr std::string_view kOpen = "<!--", kClose = "-->";
  const std::string_view frame = page_text("page.html");
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t open = frame.find(kOpen, at);
    if (open == std::string_view::npos) return out.append(frame.substr(at));
    const std::size_t close = frame.find(kClose, open);
    out.append(frame.substr(at, open - at));
    out += part_of(frame.substr(open + kOpen.size(), close - open - kOpen.size()), parts);
    at = close + kClose.size();
  }
}

}  // namespace rch::report
