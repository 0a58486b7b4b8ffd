/** Who may do what: bearer tokens, devices and mail users, from one file of digests; and how tokens of an issuer stand beside them. */
@NullMarked
package dev.veilgate.gateway.access;

import org.jspecify.annotations.NullMarked;
