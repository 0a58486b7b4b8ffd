/** Tests of names that others may write. */
@NullMarked
package dev.veilgate.agent.paths;

import org.jspecify.annotations.NullMarked;
