/** The command of an application: {@code veilgate-gateway run}, {@code veilgate-console run}; says in a line what fails. Depends on nothing of either. */
@NullMarked
package dev.veilgate.application.command;

import org.jspecify.annotations.NullMarked;
