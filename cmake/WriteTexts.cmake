# Writes files into a source file as texts: cmake -D FOLDER=DIR -D FILES=LIST -D OUTPUT=FILE -P WriteTexts.cmake
set(text "#include \"report/page_texts.h\"\n\nnamespace rch::report {\nstd::string_view page_text(std::string_view name) {\n")
foreach(file ${FILES})
  get_filename_component(name "${file}" NAME)
  file(READ "${FOLDER}/${file}" content)
  string(APPEND text "  if (name == \"${name}\") return R\"embedded(${content})embedded\";\n")
endforeach()
string(APPEND text "  return {};\n}\n}  // namespace rch::report\n")
file(WRITE "${OUTPUT}" "${text}")
