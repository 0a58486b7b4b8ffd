/** Tests of the agent, against a real broker and real files. */
@NullMarked
package dev.veilgate.agent;

import org.jspecify.annotations.NullMarked;
