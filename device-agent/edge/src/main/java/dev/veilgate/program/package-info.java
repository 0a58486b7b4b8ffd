/**
 * Programs of several commands: how they start, their help, version and exit codes, how they fail. The programs, which
 * say what commands they have, depend on it; it depends on {@code terminal} and on the failures of the engine.
 */
@NullMarked
package dev.veilgate.program;

import org.jspecify.annotations.NullMarked;
