package dev.veilgate.gateway.settings;

import dev.veilgate.envelope.SenderRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What belongs to the gateway as a whole.
 *
 * @param dataDir    where everything is kept: journal, index, database
 * @param hostname   what the gateway calls itself in mail
 * @param accessFile tokens, devices and mail users, made by the command {@code access}; relative to the data folder
 * @param tenants    whose envelopes are served: a list, each with {@code bundle}, the file of its public bundle, {@code
 * authority}, the fingerprint of the authority that signs it, as
 *                   {@code veilgate keys show} prints it, and {@code senders}, the file of its sender registry, unless
 *                   that lies beside the bundle ({@code acme.senders} for {@code acme.vgb}).
 *                   Both files are read again when they change
 */
@ConfigurationProperties("veilgate")
public record GatewaySettings(
        @DefaultValue("veilgate-data") Path dataDir,
        @DefaultValue("localhost") String hostname,
        @DefaultValue("access") Path accessFile,
        @DefaultValue List<TenantSettings> tenants) {
    private static final Pattern FINGERPRINT = Pattern.compile("(?:[0-9a-fA-F][:\\s]?){64}");

    /** Copies the list. */
    public GatewaySettings {
        tenants = List.copyOf(tenants);
        accessFile = dataDir.resolve(accessFile);
    }

    /**
     * Libraries of this machine's own code.
     *
     * @param liboqs library that computes ML-KEM, ML-DSA and FrodoKEM, such as /usr/local/lib/veilgate/liboqs.so, which
     * native/install-liboqs makes; without it, Java's libraries. One that is unfit stops the start
     */
    @ConfigurationProperties("veilgate.native")
    public record NativeSettings(@Nullable Path liboqs) {}

    /**
     * A tenant.
     *
     * @param bundle    file with its public bundle, as {@code veilgate keys bundle} writes it; read again when it
     * changes
     * @param authority fingerprint of the authority that signs the bundle, as {@code veilgate keys show} prints it
     * @param senders   file with its sender registry, read again when it changes; beside the bundle if none is named
     */
    public record TenantSettings(
            Path bundle, String authority, @Nullable Path senders) {
        /** @throws IllegalArgumentException naming the key */
        @SuppressWarnings("ConstantValue")
        public TenantSettings {
            if (bundle == null || authority == null) {
                throw new IllegalArgumentException("veilgate.tenants[] needs bundle and authority");
            }
            if (!FINGERPRINT.matcher(authority).matches()) {
                throw new IllegalArgumentException(
                        "veilgate.tenants[].authority must be a fingerprint of 64 hex digits; veilgate keys show prints it");
            }
        }

        /** Where its sender registry is, if it has one. */
        public Path registry() {
            Path named = senders;
            return named == null ? SenderRegistry.beside(bundle) : named;
        }
    }
}
