/** Searches: authorised, issued, followed, opened, shown, exported. */
@NullMarked
package dev.veilgate.console.search;

import org.jspecify.annotations.NullMarked;
