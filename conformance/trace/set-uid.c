// Says by its exit code whether it was given the rights of its owner.
#include <unistd.h>

int main(void) {
    return geteuid() == 0 ? 0 : 9;
}
