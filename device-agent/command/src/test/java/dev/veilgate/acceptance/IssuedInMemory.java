package dev.veilgate.acceptance;

import dev.veilgate.peks.TrapdoorStore;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** Issued trapdoors of one run: thousands of files, each forced to the disk, would take longer than the search. */
final class IssuedInMemory implements TrapdoorStore {
    private final Map<String, byte[]> issued = new HashMap<>();

    @Override
    public Optional<byte[]> find(byte[] name) {
        return Optional.ofNullable(issued.get(HexFormat.of().formatHex(name))).map(byte[]::clone);
    }

    @Override
    public byte[] storeIfAbsent(byte[] name, byte[] trapdoor) {
        return issued.computeIfAbsent(HexFormat.of().formatHex(name), absent -> trapdoor.clone())
                .clone();
    }
}
