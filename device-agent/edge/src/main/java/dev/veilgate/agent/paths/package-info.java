/**
 * Files under names that other users may write: resolved link by link, judged, and opened as what was judged. Knows
 * nothing of logs; {@code agent.follow} asks it.
 */
@NullMarked
package dev.veilgate.agent.paths;

import org.jspecify.annotations.NullMarked;
