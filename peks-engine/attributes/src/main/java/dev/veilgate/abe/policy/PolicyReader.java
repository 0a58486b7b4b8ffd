package dev.veilgate.abe.policy;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.List;

/** Reads one policy from untrusted bytes, and holds it to the limits before it is built. Used once. */
final class PolicyReader {
    private final ByteReader in;
    private int leaves;
    private long thresholdWork;

    PolicyReader(ByteReader in) {
        this.in = in;
    }

    Policy policy() throws MalformedEncodingException {
        return node(0);
    }

    private Policy node(int depth) throws MalformedEncodingException {
        int form = in.uint8("policy node");
        if (form == 0) {
            if (++leaves > Policy.MAX_LEAVES) {
                throw new MalformedEncodingException("policy", "at most " + Policy.MAX_LEAVES + " attributes");
            }
            return new Policy.Leaf(Attribute.read(in));
        }
        if (form != 1 || depth >= Policy.MAX_DEPTH) {
            throw new MalformedEncodingException(
                    "policy node", "0, or 1 where gates are nested less than " + Policy.MAX_DEPTH + " deep");
        }
        return gate(depth);
    }

    private Policy gate(int depth) throws MalformedEncodingException {
        int threshold = uint16();
        int size = uint16();
        if (size < 2 || size > Policy.MAX_LEAVES || threshold < 1 || threshold > size) {
            throw new MalformedEncodingException("policy gate", "2 or more children, a threshold from 1 to that");
        }
        thresholdWork += Policy.thresholdWork(threshold, size);
        if (thresholdWork > Policy.MAX_THRESHOLD_WORK) {
            throw new MalformedEncodingException(
                    "policy gate", "k times n of at most " + Policy.MAX_THRESHOLD_WORK + " in all gates 'k of n'");
        }
        List<Policy> children = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            children.add(node(depth + 1));
        }
        return new Policy.Gate(threshold, children);
    }

    private int uint16() throws MalformedEncodingException {
        return in.uint8("policy gate") << 8 | in.uint8("policy gate");
    }
}
