// Its exit code shows whether it runs with the privileges of its owner (set-user-ID).
#include <unistd.h>

int main(void) {
    return geteuid() == 0 ? 0 : 9;
}
