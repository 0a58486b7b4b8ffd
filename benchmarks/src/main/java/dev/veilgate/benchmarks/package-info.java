/** Benchmarks of engine and edge: {@code benchmarks/run} runs them all and stores what they say under docs/benchmarks. */
@NullMarked
package dev.veilgate.benchmarks;

import org.jspecify.annotations.NullMarked;
