package dev.veilgate.envelope;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.ScopedTrapdoor;
import java.util.ArrayList;
import java.util.List;

/**
 * A search without its words: trapdoors and how they belong together. A record is found if, of each list of {@link #allOf}, at least one
 * trapdoor matches it; a list holds the trapdoors of one keyword, or of the intervals of a range, under every key and for every epoch asked for.
 *
 * <pre>{@code
 * term = [ "veilgate-term", 1, tenant: tstr, [ + [ + trapdoor: bstr ] ] ]       trapdoor = ScopedTrapdoor.encode()
 * }</pre>
 *
 * <p>Its media type is {@code application/vnd.veilgate.term+cbor}. Who holds it can search for those keywords in those scopes and epochs and check
 * guesses of them: it is for the gateway only, and never printed.
 *
 * @param tenant whose envelopes
 * @param allOf  1 to {@link #MAX_LISTS} lists of together 1 to {@link #MAX_TRAPDOORS} trapdoors, none empty
 */
public record SearchTerm(String tenant, List<List<ScopedTrapdoor>> allOf) {
    /** Most lists. */
    public static final int MAX_LISTS = 1024;

    /** Most trapdoors of a term. */
    public static final int MAX_TRAPDOORS = 8192;

    /** Most bytes of an encoded term. */
    public static final int MAX_BYTES = 64 << 20;

    private static final String MAGIC = "veilgate-term";
    private static final int VERSION = 1;
    private static final int MAX_TRAPDOOR_BYTES = ScopedTrapdoor.MAX_BYTES + 2048;

    /** @throws IllegalArgumentException naming what is wrong */
    public SearchTerm {
        PublicBundleContent.checkName("tenant", tenant);
        allOf = allOf.stream().map(List::copyOf).toList();
        PublicBundleContent.check(
                !allOf.isEmpty() && allOf.size() <= MAX_LISTS, "a term has 1 to " + MAX_LISTS + " lists");
        PublicBundleContent.check(allOf.stream().noneMatch(List::isEmpty), "a term's lists must not be empty");
        PublicBundleContent.check(
                allOf.stream().mapToInt(List::size).sum() <= MAX_TRAPDOORS,
                "a term has at most " + MAX_TRAPDOORS + " trapdoors: ask for fewer epochs or a shorter range");
    }

    /** Deterministic CBOR. */
    public byte[] encode() {
        CborWriter out =
                new CborWriter(1 << 14).array(4).text(MAGIC).integer(VERSION).text(tenant);
        out.array(allOf.size());
        for (List<ScopedTrapdoor> anyOf : allOf) {
            out.array(anyOf.size());
            anyOf.forEach(trapdoor -> out.bytes(trapdoor.encode()));
        }
        return out.toByteArray();
    }

    /** The inverse of {@link #encode}; trapdoors are looked into by {@link SearchTermMatcher}. */
    public static SearchTerm decode(byte[] bytes) throws MalformedEncodingException {
        if (bytes.length > MAX_BYTES) {
            throw new MalformedEncodingException("term", "must have at most " + MAX_BYTES + " bytes");
        }
        CborReader in = new CborReader("term", bytes);
        if (in.array("term", 4) != 4 || !in.text("magic", MAGIC.length()).equals(MAGIC)) {
            throw in.malformed("magic", "must be " + MAGIC);
        }
        if (in.uint("version", Integer.MAX_VALUE) != VERSION) {
            throw in.malformed("version", "must be " + VERSION + "; update the software to read a later one");
        }
        String tenant = in.text("tenant", PublicBundleContent.MAX_NAME_BYTES);
        int lists = in.array("all-of", MAX_LISTS);
        List<List<ScopedTrapdoor>> allOf = new ArrayList<>();
        int left = MAX_TRAPDOORS;
        for (int i = 0; i < lists; i++) {
            int size = in.array("any-of", left);
            left -= size;
            List<ScopedTrapdoor> anyOf = new ArrayList<>(size);
            for (int j = 0; j < size; j++) {
                anyOf.add(ScopedTrapdoor.decode(in.bytes("trapdoor", MAX_TRAPDOOR_BYTES)));
            }
            allOf.add(anyOf);
        }
        in.end();
        try {
            return new SearchTerm(tenant, allOf);
        } catch (IllegalArgumentException e) {
            throw new MalformedEncodingException("term", String.valueOf(e.getMessage()));
        }
    }

    @Override
    public String toString() {
        return "SearchTerm[" + tenant + ", " + allOf.size() + " lists of trapdoors, hidden]";
    }
}
