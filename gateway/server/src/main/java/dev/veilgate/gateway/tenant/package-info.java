/** Whose envelopes are served here: the tenants' public bundles, pinned and verified. */
@NullMarked
package dev.veilgate.gateway.tenant;

import org.jspecify.annotations.NullMarked;
