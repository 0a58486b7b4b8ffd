/**
 * Ranked search by term frequencies, after Arora and Tyagi (2016). Start at {@link dev.veilgate.sse.vasst16.Vasst16}.
 */
@NullMarked
package dev.veilgate.sse.vasst16;

import org.jspecify.annotations.NullMarked;
