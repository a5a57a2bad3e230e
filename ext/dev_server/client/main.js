// What the script of a page calls.

globalThis.__rusk = { define, start };
