/**
 * What a search found is opened ({@link dev.veilgate.reading.Reading}, {@link dev.veilgate.reading.OpenedMail}) and asked whether it contains what it was found by
 * ({@link dev.veilgate.reading.HitCheck}): on the authority's side and a reader's, never on a gateway or where messages are sealed.
 *
 * <p>Depends on {@link dev.veilgate.envelope}, {@link dev.veilgate.authority} and the extractors.
 */
@NullMarked
package dev.veilgate.reading;

import org.jspecify.annotations.NullMarked;
