package dev.veilgate.query;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SigningKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What an authority signs when it issues trapdoors: who may search with them, and until when.
 *
 * <pre>{@code
 * grant = [ "veilgate-grant", 1, body: bstr, signature: bstr ]          signature under the context "veilgate/grant/1"
 * body  = [ holder: tstr, expires: uint (seconds), log-index: uint, digests: bstr (32 bytes each, ascending) ]
 * }</pre>
 *
 * <p>The signature holds for the authority's pair of keys only, whose name is the tenant's. Immutable.
 */
public final class Grant {
    /** Most bytes of an encoded grant. */
    public static final int MAX_BYTES = 512 << 10;

    private static final String MAGIC = "veilgate-grant";
    private static final int VERSION = 1;
    private static final String CONTEXT = "veilgate/grant/1";
    private static final int MAX_HOLDER_BYTES = 255;

    private final String holder;
    private final SortedSet<Digest> trapdoors;
    private final Instant expires;
    private final long logIndex;
    private final byte[] body;
    private final byte[] signature;

    private Grant(
            String holder,
            Collection<Digest> trapdoors,
            Instant expires,
            long logIndex,
            byte[] body,
            byte[] signature) {
        this.holder = holder;
        this.trapdoors = new TreeSet<>(trapdoors);
        this.expires = expires;
        this.logIndex = logIndex;
        this.body = body;
        this.signature = signature;
    }

    /**
     * Signs a grant.
     *
     * @param authority the tenant's
     * @param holder    who may search, 1 to 255 bytes of UTF-8
     * @param trapdoors with what: 1 to {@link SearchRequest#MAX_TRAPDOORS}
     * @param expires   first second at which it does not hold any more
     * @param logIndex  place in the authority's issuing log, from 1; 0 if it keeps none
     * @throws IllegalArgumentException naming what is wrong
     */
    public static Grant issue(
            SigningKey authority, String holder, Collection<Digest> trapdoors, Instant expires, long logIndex) {
        SortedSet<Digest> ascending = new TreeSet<>(trapdoors);
        int length = ByteWriter.utf8(holder).length;
        check(length >= 1 && length <= MAX_HOLDER_BYTES, "a holder has 1 to 255 bytes in UTF-8");
        check(
                !ascending.isEmpty() && ascending.size() <= SearchRequest.MAX_TRAPDOORS,
                "a grant is for 1 to " + SearchRequest.MAX_TRAPDOORS + " trapdoors");
        check(expires.getNano() == 0 && expires.getEpochSecond() >= 0, "a grant expires at a whole second after 1970");
        check(logIndex >= 0, "a place in the log is 0 or more");
        ByteWriter digests = new ByteWriter(Digest.BYTES * ascending.size());
        ascending.forEach(digest -> digests.bytes(digest.toBytes()));
        byte[] body = new CborWriter(Digest.BYTES * ascending.size() + 300)
                .array(4)
                .text(holder)
                .integer(expires.getEpochSecond())
                .integer(logIndex)
                .bytes(digests.toByteArray())
                .toByteArray();
        return new Grant(holder, ascending, expires, logIndex, body, authority.sign(CONTEXT, body));
    }

    /** Who may search. */
    public String holder() {
        return holder;
    }

    /** With what, ascending. */
    public SortedSet<Digest> trapdoors() {
        return new TreeSet<>(trapdoors);
    }

    /** First second at which it does not hold any more. */
    public Instant expires() {
        return expires;
    }

    /** Place in the authority's issuing log, from 1; 0 if it keeps none. */
    public long logIndex() {
        return logIndex;
    }

    /**
     * Checks that the authority permits to search with the request's trapdoors now.
     *
     * @throws RefusedGrantException if not: another authority, altered, expired, or not for all of the trapdoors
     */
    public void verify(SenderPublicKey authority, SearchRequest request, Instant now) throws RefusedGrantException {
        verify(authority, request.digests(), now);
    }

    /**
     * The same, by digests of trapdoors.
     *
     * @throws RefusedGrantException if not: another authority, altered, expired, or not for all of the trapdoors
     */
    public void verify(SenderPublicKey authority, Collection<Digest> wanted, Instant now) throws RefusedGrantException {
        if (!authority.verify(CONTEXT, body, signature)) {
            throw new RefusedGrantException("the grant is not signed by the tenant's authority, or was altered");
        }
        if (!now.isBefore(expires)) {
            throw new RefusedGrantException("the grant expired at " + expires);
        }
        if (!trapdoors.containsAll(wanted)) {
            throw new RefusedGrantException("the grant is not for all of the search's trapdoors");
        }
    }

    /** Deterministic CBOR. */
    public byte[] encode() {
        return new CborWriter(body.length + signature.length + 32)
                .array(4)
                .text(MAGIC)
                .integer(VERSION)
                .bytes(body)
                .bytes(signature)
                .toByteArray();
    }

    /** The inverse of {@link #encode}; whether it holds says {@link #verify(SenderPublicKey, SearchRequest, Instant)}. */
    public static Grant decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("grant", bytes);
        if (bytes.length > MAX_BYTES) {
            throw new MalformedEncodingException("grant", "must have at most " + MAX_BYTES + " bytes");
        }
        if (in.array("grant", 4) != 4 || !in.text("magic", MAGIC.length()).equals(MAGIC)) {
            throw in.malformed("magic", "must be " + MAGIC);
        }
        if (in.uint("version", Integer.MAX_VALUE) != VERSION) {
            throw in.malformed("version", "must be " + VERSION + "; update the software to read a later one");
        }
        byte[] body = in.bytes("body", MAX_BYTES);
        byte[] signature = in.fixedBytes("signature", SenderPublicKey.SIGNATURE_BYTES);
        in.end();
        return ofBody(body, signature);
    }

    private static Grant ofBody(byte[] body, byte[] signature) throws MalformedEncodingException {
        CborReader in = new CborReader("grant", body);
        if (in.array("body", 4) != 4) {
            throw in.malformed("body", "must have 4 items");
        }
        String holder = in.text("holder", MAX_HOLDER_BYTES);
        if (holder.isEmpty()) {
            throw in.malformed("holder", "must not be empty");
        }
        Instant expires = Instant.ofEpochSecond(in.unsigned("expires", Instant.MAX.getEpochSecond()));
        long logIndex = in.unsigned("log-index", Long.MAX_VALUE);
        byte[] digests = in.bytes("digests", Digest.BYTES * SearchRequest.MAX_TRAPDOORS);
        in.end();
        if (digests.length == 0 || digests.length % Digest.BYTES != 0) {
            throw in.malformed("digests", "must be 1 or more, of " + Digest.BYTES + " bytes each");
        }
        SortedSet<Digest> trapdoors = new TreeSet<>();
        for (int at = 0; at < digests.length; at += Digest.BYTES) {
            Digest next = Digest.of(Arrays.copyOfRange(digests, at, at + Digest.BYTES));
            if (!trapdoors.isEmpty() && trapdoors.last().compareTo(next) >= 0) {
                throw in.malformed("digests", "must be in ascending order, each once");
            }
            trapdoors.add(next);
        }
        return new Grant(holder, trapdoors, expires, logIndex, body, signature);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Grant that
                && Arrays.equals(body, that.body)
                && Arrays.equals(signature, that.signature);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(signature);
    }

    @Override
    public String toString() {
        return "Grant[of " + trapdoors.size() + " trapdoors until " + expires + "]";
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
