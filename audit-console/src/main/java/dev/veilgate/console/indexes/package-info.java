/** Checks of the indexes of opened records for lacking keywords: findings, and what is not checked, of each sender. */
@NullMarked
package dev.veilgate.console.indexes;

import org.jspecify.annotations.NullMarked;
