/* The header is self-contained, and valid in C and C++. */
#include <rusk_spawn.h>

int main(void)
{
    rusk_error error;
    rusk_child *child;
    rusk_command *command = rusk_command_new("true");
    if (rusk_spawn(command, &child, &error))
        return 1;
    rusk_command_free(command);
    if (rusk_child_wait(child, NULL, &error))
        return 2;
    rusk_child_free(child);
    return 0;
}
