/* Rows 55 and 63: burns. */
#include "attack.h"

int main(void)
{
    burn_forever();
}
