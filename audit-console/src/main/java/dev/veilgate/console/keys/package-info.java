/** The tenant's keys: opened, locked, rotated, backed up; the bundle that senders fetch. */
@NullMarked
package dev.veilgate.console.keys;

import org.jspecify.annotations.NullMarked;
