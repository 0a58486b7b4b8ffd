/** What tests of the gateway need to know of an authority's secrets, to look for them where they must not be. */
@NullMarked
package dev.veilgate.authority;

import org.jspecify.annotations.NullMarked;
