/**
 * New users of sealed mail: their key and certificate, and the files that set up their mail programs. The authority's
 * commands and the console enrol by it; agent, proxy and gateway never depend on it.
 */
@NullMarked
package dev.veilgate.enrolment;

import org.jspecify.annotations.NullMarked;
