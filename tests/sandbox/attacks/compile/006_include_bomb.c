/* Row 6: the file includes itself twice and complains each time, down to a level that the compiler still accepts: 2^100
 * warnings. */
#warning gavel diagnostics bomb, as long a line as one likes to make the log grow quickly
#if __INCLUDE_LEVEL__ < 100
#include __FILE__
#include __FILE__
#endif
