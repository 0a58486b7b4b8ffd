package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.peks.TrapdoorStore;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** A trapdoor store for tests, which forgets everything at the end and so must never be used with a key that lives on. */
class InMemoryTrapdoorStore implements TrapdoorStore {
    private final Map<String, byte[]> byName = new HashMap<>();

    @Override
    public synchronized Optional<byte[]> find(byte[] name) {
        return Optional.ofNullable(byName.get(HexFormat.of().formatHex(name))).map(byte[]::clone);
    }

    @Override
    public synchronized byte[] storeIfAbsent(byte[] name, byte[] trapdoor) {
        return byName.computeIfAbsent(HexFormat.of().formatHex(name), n -> trapdoor.clone())
                .clone();
    }

    synchronized int size() {
        return byName.size();
    }
}
