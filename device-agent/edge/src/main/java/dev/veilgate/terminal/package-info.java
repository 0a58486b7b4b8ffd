/**
 * What every command of {@code veilgate} shares, and nothing of any of them: the streams and the terminal it talks to, exit codes, how
 * it fails. Depends on nothing; the packages of the commands depend on it.
 */
@NullMarked
package dev.veilgate.terminal;

import org.jspecify.annotations.NullMarked;
