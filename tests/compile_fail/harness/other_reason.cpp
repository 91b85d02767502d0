// expect: the text that was expected
template <class T>
constexpr bool never = false;
template <class T>
void use(T) {
  static_assert(never<T>, "another text");  // not: the text that was expected
}
int main() { use(0); }
