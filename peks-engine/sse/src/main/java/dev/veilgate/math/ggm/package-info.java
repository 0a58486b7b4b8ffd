/**
 * Trees of pseudorandom values by Goldreich, Goldwasser and Micali, of which whole parts can be given away. Start at
 * {@link dev.veilgate.math.ggm.GgmTree}.
 */
@NullMarked
package dev.veilgate.math.ggm;

import org.jspecify.annotations.NullMarked;
