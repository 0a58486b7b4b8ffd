package dev.veilgate.cli;

import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/**
 * The ZIP of an export, read in both ways that programs unpack by: its directory at the end, and its files one behind the other. An archive in which the two differ shows one thing to whoever
 * verifies it and another to whoever unpacks it. Nothing is written anywhere.
 */
final class ExportArchive implements AutoCloseable {
    /** More than any export has. */
    static final int MAX_FILES = 16;

    private final Path path;
    private final ZipFile zip;

    private ExportArchive(Path path, ZipFile zip) {
        this.path = path;
        this.zip = zip;
    }

    /**
     * What a file of the archive is.
     *
     * @param bytes  how many, or one more than was asked for
     * @param sha256 of them, lower-case hex
     */
    record Member(String name, long bytes, String sha256) {}

    /** How many bytes of a file may be read. */
    @FunctionalInterface
    interface Limit {
        long of(String name);
    }

    /** @throws CommandFailure if it is no whole ZIP: the export was broken off, or the file was cut */
    static ExportArchive open(Path path) throws IOException, CommandFailure {
        try {
            return new ExportArchive(path, new ZipFile(path.toFile()));
        } catch (ZipException | EOFException e) {
            throw refused(path, e);
        }
    }

    private static CommandFailure refused(Path path, Exception e) {
        return new CommandFailure(
                ExitCode.REFUSED,
                path + ": no whole ZIP archive; the export was broken off, or the file was cut or damaged",
                e);
    }

    /** Names by the directory, in its order, with repetitions. */
    List<String> names() throws CommandFailure {
        if (zip.size() > MAX_FILES) {
            throw new CommandFailure(
                    ExitCode.REFUSED, path + ": no export, for it has more than " + MAX_FILES + " files");
        }
        return zip.stream().map(ZipEntry::getName).toList();
    }

    /** The first byte of it that is no file's and not as the console writes it. */
    Optional<ExportLayout.Difference> difference() throws IOException {
        return ExportLayout.difference(path, zip);
    }

    /** The content of a small file that {@link #names} has once, or one byte more than the limit of it. */
    byte[] read(String name, int limit) throws IOException, CommandFailure {
        try (InputStream in = zip.getInputStream(zip.getEntry(name))) {
            return in.readNBytes(limit + 1);
        } catch (ZipException | EOFException | IllegalArgumentException e) {
            throw refused(path, e);
        }
    }

    /** What the directory leads to. */
    List<Member> byDirectory(Limit limit) throws IOException, CommandFailure {
        List<Member> members = new ArrayList<>();
        try {
            for (ZipEntry entry : zip.stream().toList()) {
                try (InputStream in = zip.getInputStream(entry)) {
                    members.add(member(entry.getName(), in, limit));
                }
            }
            return members;
        } catch (ZipException | EOFException | IllegalArgumentException e) {
            throw refused(path, e);
        }
    }

    /** What stands one behind the other. */
    List<Member> inOrder(Limit limit) throws IOException, CommandFailure {
        List<Member> members = new ArrayList<>();
        try (ZipInputStream in = new ZipInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 16))) {
            ZipEntry entry = in.getNextEntry();
            while (entry != null && members.size() <= MAX_FILES) {
                Member member = member(entry.getName(), in, limit);
                members.add(member);
                if (member.bytes > limit.of(member.name)) {
                    return members; // the rest of it is not looked at either
                }
                entry = in.getNextEntry();
            }
            return members;
        } catch (ZipException | EOFException | IllegalArgumentException e) {
            throw refused(path, e);
        }
    }

    private static Member member(String name, InputStream in, Limit limit) throws IOException {
        MessageDigest sha = sha256();
        byte[] buffer = new byte[1 << 16];
        long left = limit.of(name) + 1;
        long bytes = 0;
        while (left > 0) {
            int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (read < 0) {
                break;
            }
            sha.update(buffer, 0, read);
            bytes += read;
            left -= read;
        }
        return new Member(name, bytes, HexFormat.of().formatHex(sha.digest()));
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
