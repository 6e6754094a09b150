// TILE comes from outside.
#ifndef TILE
#error "TILE is not defined"
#endif
static_assert((TILE & (TILE - 1)) == 0, "a power of two");
