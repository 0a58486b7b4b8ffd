/**
 * Sealed envelopes on disk until they are acknowledged, and with each the state of the agent at its sealing: one file, one rename, so that
 * after a crash either both are there or neither.
 */
@NullMarked
package dev.veilgate.agent.spool;

import org.jspecify.annotations.NullMarked;
