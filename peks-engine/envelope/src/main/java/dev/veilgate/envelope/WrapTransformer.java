package dev.veilgate.envelope;

import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.AttributeTransformKey;
import dev.veilgate.abe.Label;
import dev.veilgate.abe.UnsatisfiedPolicyException;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.TransformAnswer.Refusal;
import java.util.List;

/**
 * A gateway's part in opening envelopes that are sealed for policies: it does a reader's pairings with the blinded half
 * of the reader's key, and learns nothing of any content key (docs/spec/abe-outsourcing.md). It knows neither secret
 * keys nor what becomes of its answers.
 *
 * <p>A request has the {@link OpeningWork} of one envelope, whatever it asks for: some half a second of a core. What is
 * beyond is answered {@link Refusal#LATER}. For one request and one thread.
 */
public final class WrapTransformer {
    private final OpeningWork work;
    private final AttributeTransformKey key;
    private final AttributeKem scheme;

    private WrapTransformer(OpeningWork work, AttributeTransformKey key) throws MalformedEncodingException {
        this.work = work;
        this.key = key;
        this.scheme = AttributeKems.byId(key.scheme());
    }

    /**
     * Reads the key of a request, every point of which is checked.
     *
     * @throws MalformedEncodingException if it is no transformation key of a scheme that is here
     */
    public static WrapTransformer of(TransformRequest request) throws MalformedEncodingException {
        OpeningWork work = new OpeningWork();
        work.readsTransformKey(request.key());
        return new WrapTransformer(work, AttributeTransformKey.decode(request.key()));
    }

    /**
     * Asks for the work of looking for an envelope; if there is none left, the rest is answered {@link Refusal#LATER}.
     */
    public boolean mayFind() {
        return work.findsEnvelope();
    }

    /** Counts that an envelope, and what travels beside it, was read from a store. */
    public boolean hasRead(long bytes) {
        return work.readsEnvelope(bytes);
    }

    /** Transforms one wrap. */
    public TransformAnswer transform(Envelope envelope, int wrap) {
        List<WrappedKey> wraps = envelope.wraps();
        if (wrap >= wraps.size()) {
            return Refusal.NOT_FOUND;
        }
        if (!PolicyWrap.isOne(wraps.get(wrap))) {
            return Refusal.NOT_FOR_KEY;
        }
        try {
            byte[] ciphertext = PolicyWrap.attributeCiphertext(wraps.get(wrap));
            if (!work.readsLabel(ciphertext)) {
                return Refusal.LATER;
            }
            Label label = scheme.labelOf(ciphertext);
            if (!work.compares(label)) {
                return Refusal.LATER;
            }
            if (key.label().distance(label) > 0) {
                return Refusal.NOT_FOR_KEY;
            }
            return work.transforms(ciphertext)
                    ? new TransformAnswer.Transformed(scheme.transform(key, ciphertext))
                    : Refusal.LATER;
        } catch (MalformedEncodingException | UnsatisfiedPolicyException e) {
            return Refusal.NOT_FOR_KEY;
        }
    }
}
