/** Tokens of an issuer. */
@NullMarked
package dev.veilgate.gateway.oidc;

import org.jspecify.annotations.NullMarked;
