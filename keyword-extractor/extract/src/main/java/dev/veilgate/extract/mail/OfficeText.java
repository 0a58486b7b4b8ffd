package dev.veilgate.extract.mail;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.poi.openxml4j.exceptions.InvalidFormatException;
import org.apache.poi.openxml4j.opc.OPCPackage;
import org.apache.poi.openxml4j.util.ZipSecureFile;
import org.apache.poi.util.IOUtils;
import org.apache.tika.exception.EncryptedDocumentException;
import org.apache.tika.exception.TikaException;
import org.apache.tika.exception.WriteLimitReachedException;
import org.apache.tika.extractor.EmbeddedDocumentExtractor;
import org.apache.tika.io.TikaInputStream;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.metadata.TikaCoreProperties;
import org.apache.tika.mime.MediaType;
import org.apache.tika.parser.ParseContext;
import org.apache.tika.parser.Parser;
import org.apache.tika.parser.microsoft.ooxml.OOXMLParser;
import org.apache.tika.parser.microsoft.ooxml.OPCPackageWrapper;
import org.apache.tika.parser.microsoft.rtf.RTFParser;
import org.apache.tika.sax.BodyContentHandler;
import org.apache.tika.sax.SecureContentHandler;
import org.apache.tika.sax.WriteOutContentHandler;
import org.jspecify.annotations.Nullable;
import org.xml.sax.ContentHandler;
import org.xml.sax.SAXException;

/**
 * Text of one attachment and of the files inside it, by Tika. Runs in the process of {@link AttachmentWorker} only, and in memory only: Tika's streams
 * that would write temporary files are not handed to parsers.
 */
final class OfficeText implements EmbeddedDocumentExtractor {
    private static final int MAX_RATIO = 200;
    private static final int MAX_ELEMENT_DEPTH = 1_000;

    private final AttachmentLimits limits;
    private final int maxChars;
    private final WarmUp warmUp;
    private final StringBuilder text = new StringBuilder();
    private final List<String> names = new ArrayList<>();
    private final List<Refusal> refusals = new ArrayList<>();
    private final List<Integer> path = new ArrayList<>();
    private final TikaParsers parsers = TikaParsers.all();
    private String detected = "";
    private int embedded;
    private long inflated;
    private @Nullable Error fault;

    OfficeText(MailLimits limits, int maxChars, WarmUp warmUp) {
        this.limits = limits.attachments();
        this.maxChars = maxChars;
        this.warmUp = warmUp;
        ZipSecureFile.setMaxEntrySize(this.limits.maxInflatedBytes());
        ZipSecureFile.setMinInflateRatio(0); // counted here, for all entries together
        IOUtils.setByteArrayMaxOverride((int) Math.min(this.limits.maxInflatedBytes(), Integer.MAX_VALUE));
    }

    AttachmentText result() {
        return new AttachmentText(detected, text.toString(), names, refusals);
    }

    /**
     * An error, if one was thrown, that may have left a class of the libraries unusable for good, as it may have been
     * thrown while the class was made ready: nothing more should be read in this process.
     */
    Optional<Error> fault() {
        return Optional.ofNullable(fault);
    }

    /** Reads a file; what goes wrong becomes a refusal. */
    void read(byte[] bytes, String declared) {
        String type = "";
        try {
            type = declared.equals("text/html") ? declared : parsers.detect(bytes, declared);
            if (path.isEmpty()) {
                detected = type;
            }
            warmUp.before(type);
            parse(bytes, type);
        } catch (EncryptedDocumentException e) {
            refuse(Refusal.Reason.ENCRYPTED);
        } catch (TooMuch e) {
            refuse(e.reason);
        } catch (WriteLimitReachedException e) {
            refuse(Refusal.Reason.TOO_MUCH_TEXT);
        } catch (StackOverflowError | LinkageError e) {
            fault = fault == null ? e : fault;
            refuse(Refusal.Reason.DAMAGED);
        } catch (IOException | SAXException | TikaException | RuntimeException e) {
            refuse(reasonOf(e));
        }
    }

    private static Refusal.Reason reasonOf(Throwable thrown) {
        int depth = 0;
        for (Throwable cause = thrown; cause != null && depth < 20; cause = cause.getCause(), depth++) {
            if (cause instanceof TooMuch limit) {
                return limit.reason;
            }
            String name = cause.getClass().getSimpleName();
            if (name.startsWith("EncryptedDocument") || name.contains("InvalidPassword")) {
                return Refusal.Reason.ENCRYPTED;
            }
            if (name.startsWith("WriteLimit")) {
                return Refusal.Reason.TOO_MUCH_TEXT;
            }
            if (name.contains("ZipBomb") || String.valueOf(cause.getMessage()).contains("zip bomb")) {
                return Refusal.Reason.BOMB;
            }
        }
        return Refusal.Reason.DAMAGED;
    }

    private void refuse(Refusal.Reason reason) {
        if (refusals.size() < limits.maxEmbedded()) {
            StringBuilder part = new StringBuilder();
            path.forEach(number -> part.append('/').append(number));
            refusals.add(new Refusal(part.toString(), reason));
        }
    }

    private void parse(byte[] bytes, String type) throws IOException, SAXException, TikaException {
        if (type.equals("application/zip")) {
            unzip(bytes);
        } else if (type.equals("application/gzip")) {
            try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
                embedded("", in);
            }
        } else if (type.equals("text/html") || type.equals("application/xhtml+xml")) {
            append(HtmlText.ofHtml(EncodedText.decode(bytes, bytes.length, null)));
        } else if (type.endsWith("/xml") || type.endsWith("+xml")) {
            append(HtmlText.ofXml(EncodedText.decode(bytes, bytes.length, null)));
        } else if (type.startsWith("text/") && !type.equals("text/rtf")) {
            append(EncodedText.decode(bytes, bytes.length, null));
        } else {
            Parser parser = parsers.of(type);
            if (parser != null || isOpenDocument(type)) {
                byTika(parser, bytes, type);
                if (parser instanceof RTFParser) { // which leaves out text where it expects none
                    int room = maxChars - text.length();
                    text.append(RtfText.of(bytes, Math.max(0, room - 1))).append(room > 0 ? "\n" : "");
                }
            } else if (path.isEmpty() || !isPicture(type)) {
                refuse(Refusal.Reason.UNSUPPORTED_TYPE);
            }
        }
    }

    /** A package opened in memory; Tika itself would write it to a file first. */
    private static TikaInputStream opened(byte[] bytes) throws IOException, TikaException {
        try {
            TikaInputStream stream = TikaInputStream.get(bytes);
            stream.setOpenContainer(new OPCPackageWrapper(OPCPackage.open(new ByteArrayInputStream(bytes))));
            return stream;
        } catch (InvalidFormatException e) {
            throw new TikaException("not a package", e);
        }
    }

    private static boolean isOpenDocument(String type) {
        return type.startsWith("application/vnd.oasis.opendocument.");
    }

    private static boolean isPicture(String type) {
        return type.startsWith("image/");
    }

    private void byTika(@Nullable Parser parser, byte[] bytes, String type)
            throws IOException, SAXException, TikaException {
        if (bytes.length > 1 && bytes[0] == 'P' && bytes[1] == 'K') {
            countInflated(bytes);
        }
        int room = maxChars - text.length();
        if (room <= 0) {
            throw new TooMuch(Refusal.Reason.TOO_MUCH_TEXT);
        }
        Metadata metadata = new Metadata();
        metadata.set(Metadata.CONTENT_TYPE, type);
        ParseContext context = parsers.context();
        context.set(EmbeddedDocumentExtractor.class, this);
        ContentHandler body = parser == null
                ? new WriteOutContentHandler(new BoundedWriter(text, maxChars))
                : new BodyContentHandler(new BoundedWriter(text, maxChars));
        try (TikaInputStream measured = TikaInputStream.get(bytes)) {
            measured.skipNBytes(bytes.length);
            SecureContentHandler guard = new SecureContentHandler(body, measured);
            guard.setMaximumCompressionRatio(MAX_RATIO);
            guard.setMaximumDepth(MAX_ELEMENT_DEPTH);
            try {
                if (parser == null) {
                    OpenDocumentText.read(new ByteArrayInputStream(bytes), guard);
                } else if (parser instanceof OOXMLParser) {
                    parser.parse(opened(bytes), guard, metadata, context);
                } else {
                    parser.parse(new ByteArrayInputStream(bytes), guard, metadata, context);
                }
            } catch (SAXException e) {
                guard.throwIfCauseOf(e);
                throw e;
            }
        }
        append("\n");
    }

    /** Unpacks all of a zip archive, keeping nothing, to see how much it is: a library that reads it keeps much of it. */
    private void countInflated(byte[] bytes) throws IOException {
        byte[] buffer = new byte[1 << 16];
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                for (int n = zip.read(buffer); n >= 0; n = zip.read(buffer)) {
                    count(n);
                }
            }
        }
    }

    private void count(int bytes) throws TooMuch {
        inflated += bytes;
        if (inflated > limits.maxInflatedBytes()) {
            throw new TooMuch(Refusal.Reason.BOMB);
        }
    }

    private void unzip(byte[] bytes) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            int entries = 0;
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                entries++;
                if (!entry.isDirectory()) {
                    embedded(entry.getName(), zip);
                }
            }
            if (entries == 0) {
                throw new TooMuch(Refusal.Reason.DAMAGED);
            }
        } catch (java.util.zip.ZipException e) {
            if (String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("encrypt")) {
                throw new TooMuch(Refusal.Reason.ENCRYPTED);
            }
            throw e;
        }
    }

    /** All bytes, or null if they are more than an attachment may have. */
    private byte @Nullable [] inflate(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 16];
        long length = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            count(n);
            length += n;
            if (length <= limits.maxBytes()) {
                bytes.write(buffer, 0, n);
            }
        }
        return length <= limits.maxBytes() ? bytes.toByteArray() : null;
    }

    private void embedded(String name, InputStream in) throws IOException {
        if (fault instanceof StackOverflowError || ++embedded > limits.maxEmbedded()) {
            throw new TooMuch(Refusal.Reason.TOO_MANY_PARTS);
        }
        if (path.size() >= limits.maxEmbeddedDepth()) {
            throw new TooMuch(Refusal.Reason.TOO_DEEP);
        }
        if (!name.isBlank()) {
            names.add(MailHeader.leaf(name));
        }
        path.add(embedded);
        try {
            byte[] bytes = inflate(in);
            if (bytes == null) {
                refuse(Refusal.Reason.TOO_LARGE);
            } else {
                read(bytes, "");
            }
        } finally {
            path.removeLast();
        }
    }

    private void append(String more) throws TooMuch {
        int room = maxChars - text.length();
        text.append(more, 0, Math.min(room, more.length())).append('\n');
        if (more.length() > room) {
            throw new TooMuch(Refusal.Reason.TOO_MUCH_TEXT);
        }
    }

    @Override
    public boolean shouldParseEmbedded(Metadata metadata) {
        return true;
    }

    @Override
    public void parseEmbedded(InputStream stream, ContentHandler handler, Metadata metadata, boolean outputHtml)
            throws IOException {
        String name = metadata.get(TikaCoreProperties.RESOURCE_NAME_KEY);
        String type = metadata.get(Metadata.CONTENT_TYPE);
        if (type != null && isPicture(MediaType.parse(type) == null ? "" : type)) {
            return;
        }
        embedded(name == null ? "" : name, stream);
    }
}
