/** Documents against what they speak of. */
@NullMarked
package dev.veilgate.benchmarks.docs;

import org.jspecify.annotations.NullMarked;
