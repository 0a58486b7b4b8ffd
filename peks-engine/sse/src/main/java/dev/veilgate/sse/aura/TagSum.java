package dev.veilgate.sse.aura;

import dev.veilgate.secret.Secret;
import java.nio.ByteBuffer;

/**
 * The number of a set of tags and the sum of their weights modulo 2^128: an incremental hash of the set that nobody
 * can match who has not the weights' key (Clarke and others: MSet-Add-Hash, Asiacrypt 2003).
 *
 * @param count how many tags
 * @param high  upper half of the sum
 * @param low   lower half
 */
@Secret
record TagSum(long count, long high, long low) {
    static final int BYTES = 3 * Long.BYTES;
    static final TagSum NONE = new TagSum(0, 0, 0);

    /** The sum of one tag more, whose weight stands at a place. */
    TagSum plus(byte[] weights, int at) {
        ByteBuffer weight = ByteBuffer.wrap(weights, at, Aura.TAG_BYTES);
        long upper = weight.getLong();
        long lower = weight.getLong();
        long sum = low + lower;
        long carry = Long.compareUnsigned(sum, lower) < 0 ? 1 : 0;
        return new TagSum(count + 1, high + upper + carry, sum);
    }

    /** Without a set that is a part of it. */
    TagSum minus(TagSum other) {
        long borrow = Long.compareUnsigned(low, other.low) < 0 ? 1 : 0;
        return new TagSum(count - other.count, high - other.high - borrow, low - other.low);
    }

    void write(ByteBuffer out) {
        out.putLong(count).putLong(high).putLong(low);
    }

    static TagSum read(ByteBuffer in) {
        return new TagSum(in.getLong(), in.getLong(), in.getLong());
    }
}
