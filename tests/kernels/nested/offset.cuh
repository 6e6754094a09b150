#pragma once
#define OFFSET 0.5f
