/** A real Keycloak for tests. */
@NullMarked
package dev.veilgate.keycloak;

import org.jspecify.annotations.NullMarked;
