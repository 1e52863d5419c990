// The functions of math.h, under the same name on all systems.
#include <math.h>
