package dev.veilgate.cli;

import dev.veilgate.files.FileNamePart;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Names of files for origins, which are whatever a sender says: always inside one folder, never hidden, never two origins in one file.
 *
 * <p>{@code press-4} and {@code /var/log/app.log} become {@code press-4/var/log/app.log}. What signature does not hold lies in {@value #UNSIGNED}, what has
 * no origin in a file {@value #UNKNOWN}; no sender and no origin can be called so. In the parts of a path a leading point or tilde, and everywhere control
 * characters and what some systems do not allow, are written as {@code %} and hexadecimal digits. An origin whose file is taken, also by a name that
 * differs in case only, gets one beside the others with a digest behind its name.
 */
final class OriginPaths {
    static final String UNSIGNED = "~unsigned";
    static final String UNKNOWN = "~unknown";

    private static final int MAX_PATH = 1000;
    private static final HexFormat HEX = HexFormat.of();

    private record Key(String sender, boolean signed, String origin) {}

    private final Map<Key, List<String>> paths = new HashMap<>();
    private final Set<String> files = new HashSet<>();
    private final Set<String> folders = new HashSet<>();

    /**
     * The parts of the path of an origin; the same for the same origin.
     *
     * @param sender as in the envelope; may be empty if not signed
     * @param signed whether that sender signed it
     * @param origin empty if the sender does not say
     */
    List<String> of(String sender, boolean signed, String origin) {
        return paths.computeIfAbsent(new Key(sender, signed, origin), this::make);
    }

    private List<String> make(Key key) {
        List<String> folder = new ArrayList<>();
        if (!key.signed) {
            folder.add(UNSIGNED);
        }
        if (!key.sender.isEmpty()) {
            folder.add(FileNamePart.of(key.sender));
        }
        List<String> path = new ArrayList<>(folder);
        for (String name : key.origin.split("/")) {
            if (!name.isEmpty()) {
                path.add(FileNamePart.of(name));
            }
        }
        if (path.size() == folder.size()) {
            path.add(UNKNOWN);
        }
        if (take(path)) {
            return List.copyOf(path);
        }
        String digest = digest(key.signed + "\0" + key.sender + "\0" + key.origin);
        path.addLast(path.removeLast() + "~" + digest.substring(0, 16));
        if (take(path)) {
            return List.copyOf(path);
        }
        List<String> apart = List.of(folder.getFirst(), "~" + digest);
        if (!take(apart)) {
            throw new IllegalStateException("two origins with one digest");
        }
        return apart;
    }

    /** Takes a path unless it is taken, is a folder, leads through a file, or is too long. */
    private boolean take(List<String> path) {
        List<String> above = new ArrayList<>();
        StringBuilder at = new StringBuilder();
        for (String part : path) {
            at.append('/').append(folded(part));
            above.add(at.toString());
        }
        String file = above.removeLast();
        if (file.length() > MAX_PATH
                || files.contains(file)
                || folders.contains(file)
                || above.stream().anyMatch(files::contains)) {
            return false;
        }
        files.add(file);
        folders.addAll(above);
        return true;
    }

    /** What file systems that ignore case take for the same. */
    private static String folded(String part) {
        String upper = Normalizer.normalize(part, Normalizer.Form.NFKC).toUpperCase(Locale.ROOT);
        return Normalizer.normalize(upper.toLowerCase(Locale.ROOT), Normalizer.Form.NFKC);
    }

    private static String digest(String text) {
        try {
            return HEX.formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }
}
