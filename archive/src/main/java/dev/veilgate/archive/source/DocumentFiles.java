package dev.veilgate.archive.source;

import dev.veilgate.archive.NewDocument;
import dev.veilgate.archive.words.DocumentWords;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.mail.AttachmentLimits;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.mail.MailKeywords;
import dev.veilgate.extract.mail.MailLimits;
import dev.veilgate.extract.mail.Refusal;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads documents of files and folders. A mail, a text file, a row of a table and a line of a log is a document each;
 * its name is the absolute path, with the number of mail, row or line behind it where a file has several.
 *
 * <ul>
 *   <li>Mails: files in {@code cur} and {@code new} of a Maildir and its folders, {@code *.eml}, others that begin as a
 *       mail does; of {@code *.mbox} and what begins with {@code From } each message.
 *   <li>Tables: {@code *.csv}, see {@link CsvRows}.
 *   <li>Logs: {@code *.log}, {@code *.jsonl}, {@code *.ndjson}, {@code syslog} and {@code messages}, rotated ones too,
 *       see {@link LogLines}.
 *   <li>Documents that are read as attachments of mails are: PDF, office documents, e-books, packed files, and pages of
 *       the web.
 *   <li>Text: any other file that is text, see {@link TextDecoding}.
 * </ul>
 *
 * <p>In folders, files and folders whose names begin with a point are passed over, so are links, pipes and devices, and
 * folders of archives: a file of the archive that is open would lose its lock if it were opened and closed. Close this
 * to end the process that reads attachments, if there is one.
 */
public final class DocumentFiles implements AutoCloseable {
    /** Most bytes of a file that is read whole, and of one message. */
    static final int MAX_BYTES = 64 << 20;

    private static final int HEAD_BYTES = 8192;

    /** Ten times the processor time that mail of strangers has: the files are their reader's own. */
    private static final MailLimits LIMITS = MailLimits.DEFAULT.with(AttachmentLimits.DEFAULT.times(10));

    private static final Pattern NAME_OF_PART = Pattern.compile(".*#\\d+", Pattern.DOTALL);

    private final MailExtractor mails;
    private long partly;

    /** Takes what is read. */
    public interface Sink {
        /** The next document. */
        void document(NewDocument document) throws IOException;

        /**
         * A file of several documents ends, of which it has so many.
         *
         * @param asRead tells if the file still is as it was when its reading began
         */
        void endOfFile(String file, long parts, BooleanSupplier asRead) throws IOException;

        /**
         * A place of a file where a document may have been and is none, such as an empty line.
         *
         * @param asRead as for the end of the file
         */
        void gone(String name, BooleanSupplier asRead) throws IOException;

        /**
         * Something that cannot be read.
         *
         * @param name the file, perhaps with the number of a row behind it
         * @param why  in plain words, without any of its content
         */
        void unreadable(String name, String why);

        /**
         * A document that is added, and found by a part of its words only, or by its name.
         *
         * @param why in plain words
         */
        default void partlyRead(String name, String why) {}
    }

    /** @param profile by which keywords of mails are found */
    DocumentFiles(ExtractorProfile profile) {
        mails = new MailExtractor(profile, LIMITS);
    }

    /** Reads by the rules of archives. */
    public static DocumentFiles open() {
        return new DocumentFiles(DocumentWords.profile());
    }

    /** Mails with parts that could not be read: they are not found by these. */
    public long partlyRead() {
        return partly;
    }

    /**
     * Reads a file, or a folder with all that is in it, by the order of names.
     *
     * @param form of a file that is named itself; those in folders are read by their names
     * @throws IOException if the sink throws; what cannot be read is told to it
     */
    public void read(Path path, FileForm form, Sink sink) throws IOException {
        Path absolute = path.toAbsolutePath().normalize();
        if (isOfArchive(absolute)) {
            sink.unreadable(absolute.toString(), "it is an archive, or a file of one");
        } else if (Files.isDirectory(absolute)) {
            folder(absolute, sink);
        } else if (Files.isRegularFile(absolute)) {
            file(absolute, form, sink);
        } else {
            sink.unreadable(absolute.toString(), "no such file or folder");
        }
    }

    /** Tells if a file cannot be named: by its path it would not be found, or be taken for a part of another. */
    private static boolean hasNoName(Path file, Sink sink) {
        String name = file.toString();
        if (!Path.of(name).equals(file)) {
            sink.unreadable(name, "its name is not in the encoding of names here, so that others may have the same");
            return true;
        }
        if (NAME_OF_PART.matcher(name).matches()) {
            sink.unreadable(name, "its name ends as that of a line, row or message of another file does; rename it");
            return true;
        }
        return false;
    }

    private static boolean isOfArchive(Path path) {
        try {
            Path real = path.toRealPath();
            Path parent = real.getParent();
            return isArchive(real) || parent != null && isArchive(parent);
        } catch (IOException e) { // it is not there, or cannot be read either
            return false;
        }
    }

    private static boolean isArchive(Path folder) {
        return Files.isRegularFile(folder.resolve("archive.json"))
                && (Files.isRegularFile(folder.resolve("owner.mv")) || Files.isDirectory(folder.resolve("manifests")));
    }

    private void folder(Path folder, Sink sink) throws IOException {
        if (isArchive(folder)) {
            return;
        }
        List<Path> content;
        try (Stream<Path> all = Files.list(folder)) {
            content = all.sorted().toList();
        } catch (IOException e) {
            sink.unreadable(folder.toString(), "cannot be read");
            return;
        }
        boolean maildir = isMaildir(folder);
        for (Path each : content) {
            String name = String.valueOf(each.getFileName());
            if (Files.isSymbolicLink(each)) {
                continue;
            }
            if (Files.isDirectory(each)) {
                if (maildir && (name.equals("cur") || name.equals("new"))) {
                    for (Path mail : sorted(each, sink)) {
                        mail(mail, sink);
                    }
                } else if (name.startsWith(".") ? isMaildir(each) : !maildir || !name.equals("tmp")) {
                    folder(each, sink);
                }
            } else if (!maildir && !name.startsWith(".") && Files.isRegularFile(each)) {
                file(each, FileForm.BY_NAME, sink);
            }
        }
    }

    private static List<Path> sorted(Path folder, Sink sink) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            sink.unreadable(folder.toString(), "cannot be read");
            return List.of();
        }
    }

    static boolean isMaildir(Path folder) {
        return Files.isDirectory(folder.resolve("cur")) && Files.isDirectory(folder.resolve("new"));
    }

    private void file(Path file, FileForm form, Sink sink) throws IOException {
        if (hasNoName(file, sink)) {
            return;
        }
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        byte[] head;
        try (InputStream in = Files.newInputStream(file)) {
            head = in.readNBytes(HEAD_BYTES);
        } catch (IOException e) {
            sink.unreadable(file.toString(), why(e));
            return;
        }
        if (form == FileForm.TABLE || form == FileForm.BY_NAME && name.endsWith(".csv")) {
            CsvRows.read(file, sink);
        } else if (form == FileForm.LINES || LogLines.isLog(name)) {
            lines(file, head, form, sink);
        } else if (name.endsWith(".mbox") || MboxMessages.isMbox(head)) {
            mbox(file, sink);
        } else if (name.endsWith(".eml") || MailHead.isMail(head)) {
            mail(file, sink);
        } else if (DocumentHead.isDocument(head) || DocumentHead.isWebPage(name)) {
            document(file, sink);
        } else {
            text(file, sink);
        }
    }

    private void document(Path file, Sink sink) throws IOException {
        byte[] bytes;
        try {
            bytes = whole(file);
        } catch (IOException e) {
            sink.unreadable(file.toString(), why(e));
            return;
        }
        String name = String.valueOf(file.getFileName());
        sink.document(new NewDocument(file.toString(), ContentDigest.of(bytes), 0, bytes.length, words -> {
            MailKeywords keywords = mails.extractDocument(name, bytes);
            keywords.refusals().stream()
                    .findFirst()
                    .ifPresent(refusal -> sink.partlyRead(file.toString(), why(refusal.reason())));
            words.mail(keywords.keywords());
        }));
    }

    private static String why(Refusal.Reason reason) {
        return switch (reason) {
            case ENCRYPTED -> "it is encrypted";
            case DAMAGED, MALFORMED_MESSAGE -> "it is damaged";
            case MESSAGE_TOO_LONG, TOO_LARGE, BOMB -> "it is too large";
            case TIME_LIMIT -> "it takes too long";
            case UNSUPPORTED_TYPE -> "it, or a file in it, is of a kind that is not read";
            case TOO_MUCH_TEXT, TOO_MANY_KEYWORDS -> "it has too much text";
            default -> "it, or a part of it, cannot be read";
        };
    }

    private void lines(Path file, byte[] head, FileForm form, Sink sink) throws IOException {
        if (!TextDecoding.isUtf16(head)) {
            LogLines.read(file, sink);
        } else if (form == FileForm.LINES) {
            sink.unreadable(file.toString(), "lines of UTF-16 are not read");
        } else {
            text(file, sink);
        }
    }

    private void text(Path file, Sink sink) throws IOException {
        byte[] bytes;
        String text;
        try {
            bytes = whole(file);
            text = TextDecoding.decode(bytes);
        } catch (IOException e) {
            sink.unreadable(file.toString(), why(e));
            return;
        }
        sink.document(
                new NewDocument(file.toString(), ContentDigest.of(bytes), 0, bytes.length, words -> words.text(text)));
    }

    private void mail(Path file, Sink sink) throws IOException {
        if (hasNoName(file, sink)) {
            return;
        }
        byte[] bytes;
        try {
            bytes = whole(file);
        } catch (IOException e) {
            sink.unreadable(file.toString(), why(e));
            return;
        }
        sink.document(mail(file.toString(), bytes, 0));
    }

    private NewDocument mail(String name, byte[] bytes, long place) {
        return new NewDocument(name, ContentDigest.of(bytes), place, bytes.length, words -> {
            MailKeywords keywords = mails.extract(bytes);
            partly += keywords.refusals().isEmpty() ? 0 : 1;
            words.mail(keywords.keywords());
        });
    }

    private void mbox(Path file, Sink sink) throws IOException {
        long parts = 0;
        BooleanSupplier asRead = FileStamp.of(file);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            MboxMessages messages = new MboxMessages(in, MAX_BYTES);
            while (true) {
                byte[] message;
                try {
                    message = messages.next();
                } catch (IOException e) {
                    sink.unreadable(file + "#" + (parts + 1), why(e));
                    return; // what is behind it keeps its place
                }
                if (message == null) {
                    break;
                }
                sink.document(mail(file + "#" + ++parts, message, messages.place()));
            }
        }
        sink.endOfFile(file.toString(), parts, asRead);
    }

    /** All of a file that is not too long. */
    static byte[] whole(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new UnreadableException("it has more than " + (MAX_BYTES >> 20) + " MiB");
            }
            return bytes;
        }
    }

    static String why(IOException e) {
        return switch (e) {
            case UnreadableException u -> String.valueOf(u.getMessage());
            case NoSuchFileException _ -> "no such file or folder";
            default -> "cannot be read";
        };
    }

    @Override
    public void close() {
        mails.close();
    }
}
