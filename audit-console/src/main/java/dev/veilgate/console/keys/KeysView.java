package dev.veilgate.console.keys;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.authority.TenantKeys.KeyInfo;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tenant's keys, as the interface has them; nothing secret. Locked, nothing is known but that. */
record KeysView(
        boolean locked,
        String tenant,
        String authority,
        List<String> signatures,
        @Nullable String epochs,
        @Nullable String epoch,
        List<Key> keys,
        @Nullable Long bundleSerial,
        @Nullable Instant bundleExpires,
        @Nullable Long trapdoors) {
    /** One key. */
    record Key(String kind, String parameters, String id, Instant created, boolean current) {
        static Key of(KeyInfo info) {
            return new Key(info.kind(), info.parameters(), info.id().toString(), info.created(), info.current());
        }
    }

    static KeysView ofLocked() {
        return new KeysView(true, "", "", List.of(), null, null, List.of(), null, null, null);
    }

    static KeysView of(TenantKeys keys, Instant now, @Nullable Instant bundleExpires, long trapdoors) {
        return new KeysView(
                false,
                keys.tenant(),
                keys.authority().fingerprint(),
                keys.authority().lastingSchemes(),
                keys.epochs().id(),
                keys.epochs().at(now).name(),
                keys.keys().stream().map(Key::of).toList(),
                keys.serial(),
                bundleExpires,
                trapdoors);
    }
}
