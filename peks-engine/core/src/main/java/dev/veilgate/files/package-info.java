/** Files that survive a crash and other processes: replaced at once as a whole, readable by their owner only, locked, read again when they change. Depends on nothing. */
@NullMarked
package dev.veilgate.files;

import org.jspecify.annotations.NullMarked;
