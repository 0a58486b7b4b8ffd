package dev.veilgate.sse;

import dev.veilgate.secret.Secret;
import java.nio.ByteBuffer;

/**
 * The number of things in a set and the sum of their weights modulo 2^128: an incremental hash of the set that nobody
 * can match who has not the weights' key (Clarke and others: MSet-Add-Hash, Asiacrypt 2003). For those who write a
 * scheme.
 *
 * @param count how many things
 * @param high  upper half of the sum
 * @param low   lower half
 */
@Secret
public record SetSum(long count, long high, long low) {
    /** Bytes of a weight, which are those of a pseudorandom function of the thing. */
    public static final int WEIGHT_BYTES = 2 * Long.BYTES;

    /** Bytes that are written. */
    public static final int BYTES = 3 * Long.BYTES;

    /** The sum of nothing. */
    public static final SetSum NONE = new SetSum(0, 0, 0);

    /** The sum of one thing more, whose weight stands at a place. */
    public SetSum plus(byte[] weights, int at) {
        ByteBuffer weight = ByteBuffer.wrap(weights, at, WEIGHT_BYTES);
        long upper = weight.getLong();
        long lower = weight.getLong();
        long sum = low + lower;
        long carry = Long.compareUnsigned(sum, lower) < 0 ? 1 : 0;
        return new SetSum(count + 1, high + upper + carry, sum);
    }

    /** The sum without one thing, whose weight stands at a place. */
    public SetSum minus(byte[] weights, int at) {
        return minus(NONE.plus(weights, at));
    }

    /** The sum without a set that is a part of it. */
    public SetSum minus(SetSum other) {
        long borrow = Long.compareUnsigned(low, other.low) < 0 ? 1 : 0;
        return new SetSum(count - other.count, high - other.high - borrow, low - other.low);
    }

    /** Writes it. */
    public void write(ByteBuffer out) {
        out.putLong(count).putLong(high).putLong(low);
    }

    /** The inverse of {@link #write}. */
    public static SetSum read(ByteBuffer in) {
        return new SetSum(in.getLong(), in.getLong(), in.getLong());
    }

    /** Shows the number only. */
    @Override
    public String toString() {
        return "SetSum[" + count + ", sum hidden]";
    }
}
