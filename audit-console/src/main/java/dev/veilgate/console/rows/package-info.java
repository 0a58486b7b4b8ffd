/**
 * Columns of the rows that a search has opened, in memory: their values, how often each occurs, and the order of the
 * rows by any of them. Knows nothing of searches or of the gateway; nothing of it is on a disk.
 */
@NullMarked
package dev.veilgate.console.rows;

import org.jspecify.annotations.NullMarked;
