/** Searches over HTTP: jobs that run by themselves, and whose hits are streamed, paged and exported. */
@NullMarked
package dev.veilgate.gateway.search;

import org.jspecify.annotations.NullMarked;
