/** How long envelopes are kept, what is held whatever its age, and what is left of those that were deleted. */
@NullMarked
package dev.veilgate.gateway.retention;

import org.jspecify.annotations.NullMarked;
