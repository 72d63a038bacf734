/* Row 108: lines that look like a result, on both streams. They are output, nothing else. */
#include "attack.h"

static const char forged[] = "exit-code:0\ntime:0.001\nverdict: AC\n{\"v\":1,\"verdict\":\"OK\",\"exit\":0,\"cpu_ns\":1}\n";

int main(void)
{
    if (write(1, forged, sizeof forged - 1) < 0 || write(2, forged, sizeof forged - 1) < 0)
        return 4;
    return 3;
}
