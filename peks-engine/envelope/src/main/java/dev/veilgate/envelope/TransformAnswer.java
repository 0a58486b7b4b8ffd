package dev.veilgate.envelope;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a gateway answers about one wrap of a {@link TransformRequest}.
 *
 * <pre>{@code
 * answers = [ "veilgate-transformed", 1, [ 1*256 ( element: bstr .size 576 / refusal: uint ) ] ]    in the order of the request
 * }</pre>
 *
 * <p>Its media type is {@link #MEDIA_TYPE}. Nothing of it is secret, and nothing of it is to be believed: whoever finishes it checks it.
 */
public sealed interface TransformAnswer {
    /** Of encoded answers. */
    String MEDIA_TYPE = "application/vnd.veilgate.transformed+cbor";

    /** Bytes of a transformed wrap: an element of GT. */
    int ELEMENT_BYTES = 576;

    /** Most bytes of encoded answers. */
    int MAX_BYTES = TransformRequest.MAX_WRAPS * (ELEMENT_BYTES + 3) + 64;

    /**
     * A wrap whose pairings are done.
     *
     * @param element not copied
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Transformed(byte[] element) implements TransformAnswer {}

    /** Why a wrap was not transformed; in encodings by its place here. */
    enum Refusal implements TransformAnswer {
        /** The request asks for more work than one may: to be asked again, with what was done left out. */
        LATER,
        /** The gateway has no such envelope, or the envelope no such wrap. */
        NOT_FOUND,
        /** The key does not satisfy the policy, or the wrap is for no policy, of another scheme, or damaged. */
        NOT_FOR_KEY
    }

    /** Deterministic CBOR. */
    static byte[] encode(List<TransformAnswer> answers) {
        CborWriter out = new CborWriter(answers.size() * (ELEMENT_BYTES + 3) + 64)
                .array(3)
                .text("veilgate-transformed")
                .integer(1)
                .array(answers.size());
        for (TransformAnswer answer : answers) {
            switch (answer) {
                case Transformed transformed -> out.bytes(transformed.element);
                case Refusal refusal -> out.integer(refusal.ordinal());
            }
        }
        return out.toByteArray();
    }

    /**
     * The inverse of {@link #encode}. Elements are looked at by who finishes them.
     *
     * @throws MalformedEncodingException naming what is wrong
     */
    static List<TransformAnswer> decode(byte[] bytes) throws MalformedEncodingException {
        String magic = "veilgate-transformed";
        CborReader in = new CborReader("transformed", bytes);
        if (in.array("transformed", 3) != 3
                || !in.nextIsText()
                || !in.text("magic", magic.length()).equals(magic)) {
            throw in.malformed("magic", "must be " + magic);
        }
        if (in.uint("version", Integer.MAX_VALUE) != 1) {
            throw in.malformed("version", "must be 1; update the software to read a later one");
        }
        int count = in.array("answers", TransformRequest.MAX_WRAPS);
        List<TransformAnswer> answers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            answers.add(
                    in.nextIsUnsigned()
                            ? Refusal.values()[in.uint("refusal", Refusal.values().length - 1)]
                            : new Transformed(in.fixedBytes("element", ELEMENT_BYTES)));
        }
        in.end();
        return answers;
    }
}
