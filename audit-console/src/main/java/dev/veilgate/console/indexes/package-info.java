/** Whether the indexes of opened records are complete: findings, and what is not checked, for each sender. */
@NullMarked
package dev.veilgate.console.indexes;

import org.jspecify.annotations.NullMarked;
