#include "cli/app.h"

int main(int argc, char** argv) { return rch::cli::main(argc, argv); }
