/**
 * Log records to keywords: {@link dev.veilgate.extract.log.LogExtractor}. Depends on {@link dev.veilgate.extract} and, for JSON, on Jackson's
 * streaming parser.
 */
@NullMarked
package dev.veilgate.extract.log;

import org.jspecify.annotations.NullMarked;
