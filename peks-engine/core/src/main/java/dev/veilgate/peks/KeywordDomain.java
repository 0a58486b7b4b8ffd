package dev.veilgate.peks;

import dev.veilgate.encoding.ByteWriter;
import java.text.Normalizer;

/**
 * Where a keyword means something: the tenant, the scope that an auditor is granted (a plant, a mailbox) and the epoch
 * (for example 2026-11). All three are hashed with the keyword, so that a trapdoor opens one scope for one epoch of one
 * tenant and nothing else.
 *
 * @param tenant whose keys, 1 to 255 bytes of UTF-8
 * @param scope  what is granted, 1 to 255 bytes of UTF-8
 * @param epoch  when, 1 to 255 bytes of UTF-8
 */
public record KeywordDomain(String tenant, String scope, String epoch) {
    private static final String TAG = "veilgate/h1/1";

    /** @throws IllegalArgumentException for an empty or too long name or one with an unpaired surrogate or not in NFKC (headers carry it as it is) */
    public KeywordDomain {
        for (String name : new String[] {tenant, scope, epoch}) {
            int length = ByteWriter.utf8(name).length;
            if (length == 0 || length > 255) {
                throw new IllegalArgumentException("tenant, scope and epoch have 1 to 255 bytes in UTF-8");
            }
            if (!Normalizer.isNormalized(name, Normalizer.Form.NFKC)) {
                throw new IllegalArgumentException("tenant, scope and epoch must be in Unicode NFKC");
            }
        }
    }

    /**
     * The input of the schemes' hash H1: domain tag, key id, tenant, scope, epoch, field, type, level, value, each behind its
     * length, so that different keywords never have the same input.
     */
    public byte[] hashInput(KeyId keyId, Keyword keyword) {
        ByteWriter out = new ByteWriter(128)
                .shortString(TAG)
                .shortBytes(keyId.toBytes())
                .shortString(tenant)
                .shortString(scope)
                .shortString(epoch);
        keyword.encode(out);
        return out.toByteArray();
    }
}
