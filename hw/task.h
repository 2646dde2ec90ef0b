#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace rch::hw {

/// A function that waits without blocking: a coroutine whose result is a T. It begins when another task waits
/// for it with co_await, or with start(). What its parameters refer to must outlive it.
///
/// g++ 12 destroys some temporaries twice when they stand in one expression with co_await: name tasks that
/// are chosen with ?:, and pass no initializer list.
template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  /// Goes on with the task that waits for this one.
  struct Return {
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(Handle ended) const noexcept {
      return ended.promise().waiting ? ended.promise().waiting : std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };
  struct promise_type {
    Task get_return_object() { return Task(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    Return final_suspend() const noexcept { return {}; }
    void return_value(T value) { result.emplace(std::move(value)); }
    void unhandled_exception() { exception = std::current_exception(); }

    std::optional<T> result;
    std::exception_ptr exception;
    std::coroutine_handle<> waiting;
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  /// Runs it to where it waits first. To be called once, of a task that no other task waits for.
  void start() { handle_.resume(); }
  bool done() const { return handle_.done(); }
  /// Its result, once. It must be done.
  T take() {
    if (handle_.promise().exception) std::rethrow_exception(handle_.promise().exception);
    return std::move(*handle_.promise().result);
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) {
    handle_.promise().waiting = waiting;
    return handle_;
  }
  T await_resume() { return take(); }

 private:
  explicit Task(Handle handle) : handle_(handle) {}

  Handle handle_;
};

}  // namespace rch::hw
