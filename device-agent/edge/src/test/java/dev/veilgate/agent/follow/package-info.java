/** Tests of following files, with real files. */
@NullMarked
package dev.veilgate.agent.follow;

import org.jspecify.annotations.NullMarked;
