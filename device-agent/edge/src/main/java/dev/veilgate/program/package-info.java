/**
 * What a program of several commands is: how it starts, its help, its version, its exit codes, how it fails. The programs, which say what commands they
 * have, depend on it; it depends on {@code terminal} and on the failures of the engine.
 */
@NullMarked
package dev.veilgate.program;

import org.jspecify.annotations.NullMarked;
