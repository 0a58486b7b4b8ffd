/** Files that survive a crash and other processes: replaced at once as a whole, readable by their owner only, locked. Depends on nothing. */
@NullMarked
package dev.veilgate.files;

import org.jspecify.annotations.NullMarked;
