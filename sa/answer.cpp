#include "sa/answer.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "sa/class_port_info.h"
#include "sa/multi_path_record.h"
#include "sa/path_record.h"
#include "sa/records/answer_from_tables.h"
#include "sa/trace_record.h"

namespace rch::sa {

Answer answer(const Snapshot& snapshot, const Requester& requester, const Query& query) {
  const auto is = [&](Attribute attribute, std::initializer_list<Method> methods) {
    return query.attribute == attribute && std::ranges::find(methods, query.method) != methods.end();
  };
  if (is(Attribute::class_port_info, {Method::get})) return answer_class_port_info(snapshot);
  if (is(Attribute::path_record, {Method::get, Method::get_table}))
    return answer_path_record(snapshot, requester, query);
  if (is(Attribute::multi_path_record, {Method::get_multi}))
    return answer_multi_path(snapshot, requester, query);
  if (is(Attribute::trace_record, {Method::get_trace_table})) return answer_trace(snapshot, requester, query);
  if (auto records = answer_from_tables(snapshot, requester, query)) return *std::move(records);
  return {.status = Status::unsupported_method_attribute};
}

}  // namespace rch::sa
