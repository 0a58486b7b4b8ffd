/** Tokens of an OAuth 2 issuer, such as Keycloak: its keys, what a token must say, and who its holder is then. Only here are JOSE classes used. */
@NullMarked
package dev.veilgate.gateway.oidc;

import org.jspecify.annotations.NullMarked;
