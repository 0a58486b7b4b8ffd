/** Operational state: rules, approvals, saved searches. Keys and the issuing log are files of the authority. */
@NullMarked
package dev.veilgate.console.database;

import org.jspecify.annotations.NullMarked;
