/** What all answers share: problems, headers, the pages. */
@NullMarked
package dev.veilgate.console.http;

import org.jspecify.annotations.NullMarked;
