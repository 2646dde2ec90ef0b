#include "cli/app.h"

int main(int argc, char** argv) { return rch::cli::run(argc, argv); }
