// SPDX-License-Identifier: Apache-2.0
//
// Compiled by the tests of the rooms' arrows, with the include directories of one target. It fails to compile
// where that target can see PETAL_FORBIDDEN_HEADER.
#include PETAL_OWN_HEADER

#if __has_include(PETAL_FORBIDDEN_HEADER)
#error "an arrow between the rooms runs the wrong way: this target sees PETAL_FORBIDDEN_HEADER"
#endif
