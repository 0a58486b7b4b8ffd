/** Who may do what: bearer tokens, devices and mail users, from one file of digests. */
@NullMarked
package dev.veilgate.gateway.access;

import org.jspecify.annotations.NullMarked;
