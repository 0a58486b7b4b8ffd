/** The program: starts the console, says in a line what fails. */
@NullMarked
package dev.veilgate.console.command;

import org.jspecify.annotations.NullMarked;
