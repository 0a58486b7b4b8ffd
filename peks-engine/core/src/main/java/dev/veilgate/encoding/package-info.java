/**
 * Reading untrusted bytes and writing canonical ones: the primitives that every Veilgate format is made of. Depends on
 * nothing.
 */
@NullMarked
package dev.veilgate.encoding;

import org.jspecify.annotations.NullMarked;
