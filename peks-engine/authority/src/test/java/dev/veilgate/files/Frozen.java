package dev.veilgate.files;

import dev.veilgate.encoding.CborSequence;
import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Data that an earlier version wrote, byte for byte (its SOURCE.md says how): what stays readable for ever. A set is
 * never made again; a version that writes something new gets another set beside it.
 */
public final class Frozen {
    /** The set that the version 906ce34 wrote. */
    public static final String SET = "906ce34";

    /** Another set, of a tenant whose content keys are wrapped with FrodoKEM, by the version 62fe3285. */
    public static final String WRAPS = "62fe3285";

    /** A time at which its bundles are valid. */
    public static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

    /** Opens its key folder. */
    public static final String PASSPHRASE = "frozen sample passphrase";

    /** Opens its readers' files. */
    public static final String READER_PASSPHRASE = "frozen reader passphrase";

    private Frozen() {}

    /** A file or folder of the set. */
    public static Path path(String name) {
        return path(SET, name);
    }

    /** A file or folder of a set. */
    public static Path path(String set, String name) {
        URL found = Objects.requireNonNull(
                Frozen.class.getClassLoader().getResource("frozen/" + set + "/" + name), "no frozen " + name);
        try {
            return Path.of(found.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The content of a file of the set. */
    public static byte[] bytes(String name) {
        try {
            return Files.readAllBytes(path(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies a folder of the set, since what opens it may change it; the copy. */
    public static Path copy(String name, Path parent) throws IOException {
        return copy(SET, name, parent);
    }

    /** The same of a set. */
    public static Path copy(String set, String name, Path parent) throws IOException {
        Path from = path(set, name);
        Path to = parent.resolve(from.getFileName().toString());
        List<Path> all;
        try (Stream<Path> walk = Files.walk(from)) {
            all = walk.toList();
        }
        for (Path each : all) {
            Files.copy(each, to.resolve(from.relativize(each).toString()));
        }
        return to;
    }

    /** Fingerprint of the authority whose set it is. */
    public static String authority() throws IOException {
        return Files.readString(path("authority")).strip();
    }

    /** The envelopes of a file of the set: that of its lines, and that of the templates which the sender had found. */
    public static List<byte[]> envelopes(String name) {
        return envelopes(SET, name);
    }

    /** The same of a set. */
    public static List<byte[]> envelopes(String set, String name) {
        List<byte[]> envelopes = new ArrayList<>();
        try (InputStream in = Files.newInputStream(path(set, "envelopes/" + name + ".vge"))) {
            CborSequence items = new CborSequence("envelopes", in, 1 << 20);
            for (Optional<byte[]> next = items.next(); next.isPresent(); next = items.next()) {
                envelopes.add(next.get());
            }
        } catch (IOException | MalformedEncodingException e) {
            throw new AssertionError(e);
        }
        return envelopes;
    }

    /** The lines that an envelope of the set was made of. */
    public static List<String> lines(String envelope) {
        return List.of(
                "level=info unit=pump msg=\"started " + envelope + "\"",
                "level=error unit=pump msg=\"overheated " + envelope + "\"",
                "level=info unit=pump msg=\"stopped " + envelope + "\"");
    }
}
