package dev.veilgate.authority;

import dev.veilgate.authority.KeyFileException.Reason;
import dev.veilgate.secret.Secret;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Finds the key of a backup from its shares, and names the shares that are wrong. */
@Secret
final class BackupKey {
    private final BackupHeader header;
    private final byte[] check;

    BackupKey(BackupHeader header, byte[] check) {
        this.header = header;
        this.check = check;
    }

    /**
     * The cipher of the backup. If there are more shares than needed, some may be wrong.
     *
     * @throws KeyFileException if the shares are too few, of another backup, or do not give the key
     */
    BackupCipher open(List<KeyShare> given) throws KeyFileException {
        List<KeyShare> shares = checked(given);
        Optional<BackupCipher> opened = choose(shares, 0, new ArrayList<>());
        if (opened.isEmpty()) {
            throw refused("the shares " + named(shares) + " do not give this backup's key: at least one was altered"
                    + (shares.size() == header.threshold() ? "; with one more share it can be found out which" : ""));
        }
        return opened.get();
    }

    private List<KeyShare> checked(List<KeyShare> given) throws KeyFileException {
        TreeMap<Integer, KeyShare> byIndex = new TreeMap<>();
        for (KeyShare share : given) {
            if (!share.isOf(header.id())) {
                throw refused("share " + share.index() + " is of another backup, " + share.backupId());
            }
            if (share.threshold() != header.threshold() || share.shares() != header.shares()) {
                throw refused("share " + share.index() + " was altered: it has other numbers than the backup");
            }
            KeyShare other = byIndex.put(share.index(), share);
            if (other != null && !MessageDigest.isEqual(other.value(), share.value())) {
                throw refused("there are two shares " + share.index() + ", and they differ");
            }
        }
        if (byIndex.size() < header.threshold()) {
            throw refused("the backup needs " + header.threshold() + " different shares, and " + byIndex.size()
                    + " were given");
        }
        return List.copyOf(byIndex.values());
    }

    /** The first choice of as many shares as are needed that gives the key: at most 12,870 are tried. */
    private Optional<BackupCipher> choose(List<KeyShare> from, int next, List<KeyShare> chosen) {
        if (chosen.size() == header.threshold()) {
            return tryKey(chosen);
        }
        for (int i = next; i <= from.size() - (header.threshold() - chosen.size()); i++) {
            chosen.add(from.get(i));
            Optional<BackupCipher> opened = choose(from, i + 1, chosen);
            if (opened.isPresent()) {
                return opened;
            }
            chosen.removeLast();
        }
        return Optional.empty();
    }

    private Optional<BackupCipher> tryKey(List<KeyShare> chosen) {
        byte[] key = valueAt(chosen, 0);
        BackupCipher cipher = new BackupCipher(key, header.binding());
        Arrays.fill(key, (byte) 0);
        if (MessageDigest.isEqual(cipher.check(), check)) {
            return Optional.of(cipher);
        }
        cipher.close();
        return Optional.empty();
    }

    /** The shares among those given that are not the ones that were handed out. */
    List<Integer> wrong(List<KeyShare> given) throws KeyFileException {
        List<KeyShare> shares = checked(given);
        List<KeyShare> good = new ArrayList<>();
        Optional<BackupCipher> opened = choose(shares, 0, good);
        if (opened.isEmpty()) {
            return List.of();
        }
        opened.get().close();
        return shares.stream()
                .filter(share -> !MessageDigest.isEqual(valueAt(good, share.index()), share.value()))
                .map(KeyShare::index)
                .toList();
    }

    private static byte[] valueAt(List<KeyShare> shares, int x) {
        int[] indices = shares.stream().mapToInt(KeyShare::index).toArray();
        byte[][] values = shares.stream().map(KeyShare::value).toArray(byte[][]::new);
        return ShamirSharing.interpolate(indices, values, x);
    }

    private static String named(List<KeyShare> shares) {
        return shares.stream().map(share -> String.valueOf(share.index())).collect(Collectors.joining(", "));
    }

    private static KeyFileException refused(String message) {
        return new KeyFileException(Reason.SHARES, message);
    }
}
