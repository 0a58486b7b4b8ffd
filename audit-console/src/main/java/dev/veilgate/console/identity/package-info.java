/** Who is logged in, with which roles and attributes; OpenID Connect, from outside or embedded. */
@NullMarked
package dev.veilgate.console.identity;

import org.jspecify.annotations.NullMarked;
