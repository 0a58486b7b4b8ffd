package dev.veilgate.extract.mail;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.poi.hssf.usermodel.HSSFWorkbook;

/**
 * Reads a small document of ours before the first one of its kind. The first takes a hundred times the processor time
 * of those behind it, since the classes that read it are loaded; that is no cost of the mail that happens to come
 * first, and not counted as one.
 */
final class WarmUp {
    /** Documents that are read by the same classes, where loading these takes more than a twentieth of a second. */
    enum Kind {
        PDF,
        OFFICE_PACKAGE,
        COMPOUND_FILE
    }

    /** Told when one of ours is read. */
    interface Listener {
        void begins() throws IOException;

        void ends() throws IOException;
    }

    static final int KINDS = Kind.values().length;

    private static final String WORDS = "one two three";
    private static final int MAX_CHARS = 10_000;

    private final MailLimits limits;
    private final Listener listener;
    private final Set<Kind> warm = EnumSet.noneOf(Kind.class);

    WarmUp(MailLimits limits, Listener listener) {
        this.limits = limits;
        this.listener = listener;
    }

    /** A document of this type is about to be read. */
    void before(String type) throws IOException {
        Optional<Kind> kind = kind(type);
        if (kind.isEmpty() || !warm.add(kind.get())) {
            return;
        }
        listener.begins();
        OfficeText own = new OfficeText(limits, MAX_CHARS, this);
        own.read(document(kind.get()), "");
        listener.ends();
        Error fault = own.fault().orElse(null);
        if (fault != null) { // of what is around it: a file far inside another has little of the stack left
            throw fault;
        }
    }

    private static Optional<Kind> kind(String type) {
        if (type.startsWith("application/vnd.openxmlformats-officedocument.")) {
            return Optional.of(Kind.OFFICE_PACKAGE);
        }
        return Optional.ofNullable(
                switch (type) {
                    case "application/pdf" -> Kind.PDF;
                    case "application/msword",
                            "application/vnd.ms-excel",
                            "application/vnd.ms-powerpoint",
                            "application/vnd.ms-outlook" -> Kind.COMPOUND_FILE;
                    default -> null;
                });
    }

    /** A small document of a kind, with the words "one two three". */
    static byte[] document(Kind kind) throws IOException {
        return switch (kind) {
            case PDF -> pdf();
            case OFFICE_PACKAGE -> officePackage();
            case COMPOUND_FILE -> compoundFile();
        };
    }

    private static byte[] pdf() {
        String content = "BT /F 12 Tf 50 700 Td (" + WORDS + ") Tj ET";
        String[] objects = {
            "<</Type/Catalog/Pages 2 0 R>>",
            "<</Type/Pages/Count 1/Kids[3 0 R]>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
            "<</Length " + content.length() + ">>\nstream\n" + content + "\nendstream",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
        };
        StringBuilder file = new StringBuilder("%PDF-1.4\n");
        StringBuilder table = new StringBuilder("xref\n0 6\n0000000000 65535 f \n");
        for (int i = 0; i < objects.length; i++) {
            table.append(String.format("%010d 00000 n \n", file.length()));
            file.append(i + 1).append(" 0 obj\n").append(objects[i]).append("\nendobj\n");
        }
        int at = file.length();
        file.append(table)
                .append("trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n")
                .append(at)
                .append("\n%%EOF\n");
        return ascii(file.toString());
    }

    private static byte[] officePackage() throws IOException {
        String formats = "http://schemas.openxmlformats.org/";
        String packages = formats + "package/2006/";
        return zip(
                "[Content_Types].xml",
                "<Types xmlns=\"" + packages + "content-types\"><Default Extension=\"rels\" "
                        + "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
                        + "<Override PartName=\"/word/document.xml\" ContentType=\"application/"
                        + "vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>",
                "_rels/.rels",
                "<Relationships xmlns=\"" + packages + "relationships\"><Relationship Id=\"r\" Type=\"" + formats
                        + "officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/>"
                        + "</Relationships>",
                "word/document.xml",
                "<d:document xmlns:d=\"" + formats + "wordprocessingml/2006/main\"><d:body><d:p><d:r><d:t>" + WORDS
                        + "</d:t></d:r></d:p></d:body></d:document>");
    }

    private static byte[] zip(String... namesAndContents) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (int i = 0; i < namesAndContents.length; i += 2) {
                zip.putNextEntry(new ZipEntry(namesAndContents[i]));
                zip.write(ascii(namesAndContents[i + 1]));
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] compoundFile() throws IOException {
        try (HSSFWorkbook book = new HSSFWorkbook();
                ByteArrayOutputStream bytes = new ByteArrayOutputStream()) {
            book.createSheet("a").createRow(0).createCell(0).setCellValue(WORDS);
            book.write(bytes);
            return bytes.toByteArray();
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
