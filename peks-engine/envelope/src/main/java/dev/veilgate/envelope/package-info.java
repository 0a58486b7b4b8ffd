/**
 * The envelope: the wire format in which a message travels and is stored (docs/wire-format.md), its sealing, opening and the
 * verification of a sender's chain; and the public bundle that a sender pins. Sees searchable encryption through {@link
 * dev.veilgate.peks.IndexScheme} only. Nothing here holds a tenant's secret key except {@link dev.veilgate.envelope.EnvelopeOpener}.
 */
@NullMarked
package dev.veilgate.envelope;

import org.jspecify.annotations.NullMarked;
