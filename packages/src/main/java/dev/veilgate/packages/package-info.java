/** Files of packages beside the programs themselves, made from their commands: manual, completions of shells. */
@NullMarked
package dev.veilgate.packages;

import org.jspecify.annotations.NullMarked;
