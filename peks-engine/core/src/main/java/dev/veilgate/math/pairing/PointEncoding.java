package dev.veilgate.math.pairing;

import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What is checked of encoded points, of both groups.
 *
 * @param bytes      length of an encoding with one coordinate; with both it is twice as long
 * @param parse      throws a RuntimeException, so blst's binding says it, if the bytes are no point of the curve
 * @param isIdentity of a parsed point
 * @param isInGroup  of a parsed point
 * @param <A>        blst's points
 */
record PointEncoding<A>(int bytes, Function<byte[], A> parse, Predicate<A> isIdentity, Predicate<A> isInGroup) {
    A decode(String field, byte[] encoded) throws MalformedEncodingException {
        if (encoded.length != bytes || (encoded[0] & 0x80) == 0) {
            throw new MalformedEncodingException(field, "a compressed point of " + bytes + " bytes");
        }
        A point;
        try {
            point = parse.apply(encoded);
        } catch (RuntimeException e) {
            throw new MalformedEncodingException(field, "a point of the curve, with canonical coordinates");
        }
        if (isIdentity.test(point)) {
            throw new MalformedEncodingException(field, "not the identity");
        }
        if (!isInGroup.test(point)) {
            throw new MalformedEncodingException(field, "a point of the group of prime order");
        }
        return point;
    }

    A trusted(byte[] encoded, int at) {
        int wide = 2 * bytes;
        if (at < 0 || encoded.length - at < wide || (encoded[at] & 0xe0) != 0) {
            throw new IllegalArgumentException("both coordinates of a point have " + wide + " bytes");
        }
        A point;
        try {
            point = parse.apply(Arrays.copyOfRange(encoded, at, at + wide));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("not a point of the curve", e);
        }
        if (isIdentity.test(point)) {
            throw new IllegalArgumentException("the identity");
        }
        return point;
    }
}
