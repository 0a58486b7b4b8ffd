package dev.veilgate.abe;

import dev.veilgate.abe.cp.bsw07.Bsw07;
import dev.veilgate.abe.fabeo22.Fabeo22Cp;
import dev.veilgate.abe.fabeo22.Fabeo22Kp;
import dev.veilgate.abe.kp.gpsw06.Gpsw06;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import java.util.List;

/** The attribute-based schemes, by id. */
@Secret
public final class AttributeKems {
    /** Of the scheme that is taken where none is named. */
    public static final String DEFAULT_ID = "cp-fabeo22";

    private static final List<SchemeKem<?, ?, ?, ?, ?, ?>> ALL = List.of(
            SchemeKem.policiesInCiphertexts(new Fabeo22Cp()),
            SchemeKem.policiesInKeys(new Fabeo22Kp()),
            SchemeKem.policiesInCiphertexts(new Bsw07()),
            SchemeKem.policiesInKeys(new Gpsw06()));

    private AttributeKems() {}

    /** All of them, the default first. */
    public static List<AttributeKem> all() {
        return List.copyOf(ALL);
    }

    /** The scheme that is taken where none is named: policies in ciphertexts, fast to open. */
    public static AttributeKem byDefault() {
        return ALL.getFirst();
    }

    /** @throws MalformedEncodingException if there is no scheme of that id: ids come from untrusted bytes */
    public static AttributeKem byId(String id) throws MalformedEncodingException {
        return scheme(id);
    }

    /**
     * The scheme of a ciphertext.
     *
     * @throws MalformedEncodingException if it does not begin as one
     */
    public static AttributeKem ofCiphertext(byte[] ciphertext) throws MalformedEncodingException {
        return Format.CIPHERTEXT.scheme(Format.CIPHERTEXT.reader(ciphertext));
    }

    static SchemeKem<?, ?, ?, ?, ?, ?> scheme(String id) throws MalformedEncodingException {
        for (SchemeKem<?, ?, ?, ?, ?, ?> scheme : ALL) {
            if (scheme.id().equals(id)) {
                return scheme;
            }
        }
        throw new MalformedEncodingException(
                "attribute scheme",
                "must be one of " + ALL.stream().map(AttributeKem::id).sorted().toList());
    }
}
