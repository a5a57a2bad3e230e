/* Three programs, one after the other, on one stack: each is started when the previous one has
 * exited.
 *
 *     cc in_turn.c $(pkg-config --cflags --libs rusk_spawn) */
#include <rusk_spawn.h>

#include <stdio.h>

int main(void)
{
    static const char *const words[] = {"one", "two", "three"};
    size_t i;
    for (i = 0; i < sizeof words / sizeof *words; i++) {
        rusk_command *command = rusk_command_new("echo");
        rusk_child *child;
        rusk_exit end;
        rusk_error error;
        int code;

        rusk_command_arg(command, words[i]);
        code = rusk_spawn(command, &child, &error);
        rusk_command_free(command);
        if (code == 0) {
            code = rusk_child_wait(child, &end, &error);
            rusk_child_free(child);
        }
        if (code) {
            char text[256];
            rusk_error_text(&error, text, sizeof text);
            fprintf(stderr, "%s\n", text);
            return 2;
        }
        if (rusk_exit_shell_status(&end))
            return rusk_exit_shell_status(&end);
    }
    return 0;
}
