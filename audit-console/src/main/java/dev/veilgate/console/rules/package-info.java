/** Who may search what: rules, limits, approvals. Asked before a trapdoor exists. */
@NullMarked
package dev.veilgate.console.rules;

import org.jspecify.annotations.NullMarked;
