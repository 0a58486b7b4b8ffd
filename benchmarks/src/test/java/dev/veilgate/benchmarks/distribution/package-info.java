/** What is in the programs' folders as they are installed. */
@NullMarked
package dev.veilgate.benchmarks.distribution;

import org.jspecify.annotations.NullMarked;
