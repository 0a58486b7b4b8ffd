package dev.veilgate.gateway.ingest;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.gateway.tenant.Tenant;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Instant;

/** Sealed mail as a gateway delivers it, without a gateway. */
public final class DeliveredForms {
    private DeliveredForms() {}

    /** A form that keeps no header which nobody bound. */
    static DeliveredForm strict() {
        return strict(new SimpleMeterRegistry());
    }

    static DeliveredForm strict(MeterRegistry meters) {
        return new DeliveredForm(OuterHeaderSettings.DEFAULTS, Instant.EPOCH, Clock.systemUTC(), meters);
    }

    /** The mail that recipients of a sealed one get. */
    public static byte[] delivered(Tenant tenant, byte[] mail) {
        return delivered(strict(), tenant, mail);
    }

    static byte[] delivered(DeliveredForm form, Tenant tenant, byte[] mail) {
        try {
            SealedMail sealed = SealedMail.read(mail).orElseThrow();
            Envelope envelope = Envelope.decode(sealed.envelope());
            return form.of(sealed, DeliveredForm.bound(envelope, tenant), "someone@elsewhere.example");
        } catch (RefusedException | MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }
}
