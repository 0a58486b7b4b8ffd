/** What somebody wants to ask, read by the tenant's own profile. Issues nothing, allows nothing. */
@NullMarked
package dev.veilgate.console.query;

import org.jspecify.annotations.NullMarked;
