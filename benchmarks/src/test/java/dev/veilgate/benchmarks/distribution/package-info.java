/** Tests of the installed programs' folders: which jars and classes are in them. */
@NullMarked
package dev.veilgate.benchmarks.distribution;

import org.jspecify.annotations.NullMarked;
