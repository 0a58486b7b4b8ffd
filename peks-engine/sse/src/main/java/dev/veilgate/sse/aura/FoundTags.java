package dev.veilgate.sse.aura;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.SetSum;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The owner's reading of tags that a server found: which of them are genuine, which live, and how many are missing. */
@Secret
final class FoundTags {
    private final List<DocumentId> live = new ArrayList<>();
    private final ByteArrayOutputStream liveSuspects = new ByteArrayOutputStream();
    private final List<String> findings = new ArrayList<>();
    private final SetSum expectedNext;

    /**
     * Reads them.
     *
     * @param revoked  tags of deleted documents, one after the other
     * @param expected sum of all tags that the server should have
     */
    FoundTags(Aura aura, WordKeys keys, AuraMessages.Tags tags, byte[] revoked, SetSum expected) {
        ByteBuffer ids = ByteBuffer.wrap(aura.idsOf(keys, tags.all()));
        byte[] weights = aura.weights(keys, tags.all());
        Set<ByteBuffer> dead = pieces(revoked);
        SetSum ofLive = SetSum.NONE;
        int altered = 0;
        for (int i = 0; i < tags.count(); i++) {
            int at = i * Aura.TAG_BYTES;
            if (ids.getLong(at + Long.BYTES) != 0) {
                altered++;
            } else if (dead.isEmpty() || !dead.contains(ByteBuffer.wrap(tags.all(), at, Aura.TAG_BYTES))) {
                ofLive = ofLive.plus(weights, at);
                live.add(new DocumentId(ids.getLong(at)));
                if (i >= tags.opened()) {
                    liveSuspects.write(tags.all(), at, Aura.TAG_BYTES);
                    liveSuspects.write(ids.array(), at, DocumentId.BYTES);
                }
            }
        }
        expectedNext = expected.minus(sum(aura.weights(keys, revoked)));
        SetSum missing = expectedNext.minus(ofLive);
        if (altered > 0) {
            findings.add(altered + " entries of this word are altered, and left out");
        }
        if (missing.count() > 0) {
            findings.add(missing.count() + " of " + expectedNext.count() + " entries of this word are missing");
        } else if (!missing.equals(SetSum.NONE)) {
            findings.add("entries of this word are missing, and others stand in their place");
        }
    }

    private static SetSum sum(byte[] weights) {
        SetSum sum = SetSum.NONE;
        for (int at = 0; at < weights.length; at += SetSum.WEIGHT_BYTES) {
            sum = sum.plus(weights, at);
        }
        return sum;
    }

    private static Set<ByteBuffer> pieces(byte[] tags) {
        Set<ByteBuffer> pieces = new HashSet<>();
        for (int at = 0; at < tags.length; at += Aura.TAG_BYTES) {
            pieces.add(ByteBuffer.wrap(tags, at, Aura.TAG_BYTES));
        }
        return pieces;
    }

    /** Documents that live, with what does not hold of the answer. */
    Hits hits() {
        return new Hits(Hits.of(live).documents(), findings);
    }

    /** Tag and id of each that the server could not open though it lives. */
    byte[] liveSuspects() {
        return liveSuspects.toByteArray();
    }

    /**
     * Sum of the tags that the server should have from now on. What is missing stays missing; what was deleted is not
     * expected, so that it is named if the server did not tell of it now and does later.
     */
    SetSum expectedNext() {
        return expectedNext;
    }
}
