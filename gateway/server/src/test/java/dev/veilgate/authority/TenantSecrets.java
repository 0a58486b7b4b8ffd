package dev.veilgate.authority;

/** A tenant's key file in clear. */
public final class TenantSecrets {
    private TenantSecrets() {}

    /** Everything that is sealed by the passphrase, public parts included. */
    public static byte[] encoded(TenantKeys keys) {
        return TenantKeysCodec.encode(keys);
    }
}
