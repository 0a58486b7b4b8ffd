/**
 * Wildcard search by filters of letters, after Hu and Han (2015). Start at {@link dev.veilgate.sse.chlh15.Chlh15}.
 */
@NullMarked
package dev.veilgate.sse.chlh15;

import org.jspecify.annotations.NullMarked;
