package dev.veilgate.extract.mail;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDStream;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.apache.poi.hssf.usermodel.HSSFWorkbook;
import org.apache.poi.poifs.crypt.EncryptionInfo;
import org.apache.poi.poifs.crypt.EncryptionMode;
import org.apache.poi.poifs.crypt.Encryptor;
import org.apache.poi.poifs.filesystem.POIFSFileSystem;
import org.apache.poi.xslf.usermodel.XMLSlideShow;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.apache.poi.xwpf.usermodel.XWPFDocument;

/** Files to attach, each with the same text in it, and hostile ones. */
public final class Attachments {
    public static final String TEXT = "sealed overheating 3.14 words";

    private Attachments() {}

    private interface Writer {
        void write(OutputStream out) throws Exception;
    }

    private static byte[] bytes(Writer writer) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writer.write(out);
        return out.toByteArray();
    }

    public static byte[] docx(String text) throws Exception {
        try (XWPFDocument document = new XWPFDocument()) {
            document.createParagraph().createRun().setText(text);
            return bytes(document::write);
        }
    }

    public static byte[] xlsx() throws Exception {
        try (XSSFWorkbook book = new XSSFWorkbook()) {
            book.createSheet("sheet").createRow(0).createCell(0).setCellValue(TEXT);
            return bytes(book::write);
        }
    }

    public static byte[] xls() throws Exception {
        try (HSSFWorkbook book = new HSSFWorkbook()) {
            book.createSheet("sheet").createRow(0).createCell(0).setCellValue(TEXT);
            return bytes(book::write);
        }
    }

    public static byte[] pptx() throws Exception {
        try (XMLSlideShow show = new XMLSlideShow()) {
            show.createSlide().createTextBox().setText(TEXT);
            return bytes(show::write);
        }
    }

    public static byte[] odt() throws Exception {
        String head = "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\"><text:p>";
        return zip(Map.of(
                "mimetype",
                "application/vnd.oasis.opendocument.text",
                "content.xml",
                head + TEXT.replace("ea", "e<text:span>a</text:span>") + "</text:p></office:document-content>"));
    }

    public static byte[] rtf() {
        return ("{\\rtf1\\ansi " + TEXT.replace("words", "\\b words\\b0") + "\\par}")
                .getBytes(StandardCharsets.US_ASCII);
    }

    public static byte[] pdf() throws Exception {
        try (PDDocument document = pdfDocument()) {
            return bytes(document::save);
        }
    }

    private static PDDocument pdfDocument() throws IOException {
        PDDocument document = new PDDocument();
        PDPage page = new PDPage();
        document.addPage(page);
        try (PDPageContentStream content = new PDPageContentStream(document, page)) {
            content.beginText();
            content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
            content.newLineAtOffset(50, 700);
            content.showText(TEXT);
            content.endText();
        }
        return document;
    }

    static byte[] encryptedPdf() throws Exception {
        try (PDDocument document = pdfDocument()) {
            StandardProtectionPolicy policy = new StandardProtectionPolicy("owner", "user", new AccessPermission());
            policy.setEncryptionKeyLength(256);
            document.protect(policy);
            return bytes(document::save);
        }
    }

    /** A page whose content is {@code megabytes} of blanks, packed. */
    static byte[] pdfBomb(int megabytes) throws Exception {
        try (PDDocument document = pdfDocument()) {
            PDStream stream = new PDStream(document);
            try (OutputStream out = stream.createOutputStream(org.apache.pdfbox.cos.COSName.FLATE_DECODE)) {
                blanks(out, megabytes);
            }
            document.getPage(0).setContents(stream);
            return bytes(document::save);
        }
    }

    static byte[] encryptedDocx() throws Exception {
        try (POIFSFileSystem files = new POIFSFileSystem()) {
            Encryptor encryptor = new EncryptionInfo(EncryptionMode.agile).getEncryptor();
            encryptor.confirmPassword("secret");
            try (OutputStream out = encryptor.getDataStream(files)) {
                out.write(docx(TEXT));
            }
            return bytes(files::writeFilesystem);
        }
    }

    /** A document that defines "lol" as a billion of them, or reads a file of the machine. */
    static byte[] docxWithEntities(String definitions, String use) throws Exception {
        String document = "<?xml version=\"1.0\"?><!DOCTYPE w:document [" + definitions + "]>"
                + "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body><w:p><w:r><w:t>"
                + use + "</w:t></w:r></w:p></w:body></w:document>";
        Map<String, String> files = new LinkedHashMap<>();
        files.put(
                "[Content_Types].xml",
                "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" "
                        + "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Override PartName=\"/word/document.xml\" "
                        + "ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>");
        files.put(
                "_rels/.rels",
                "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r\" "
                        + "Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" "
                        + "Target=\"word/document.xml\"/></Relationships>");
        files.put("word/document.xml", document);
        return zip(files);
    }

    static String billionLaughs() {
        StringBuilder definitions = new StringBuilder("<!ENTITY l0 \"lol \">");
        for (int i = 1; i < 10; i++) {
            definitions
                    .append("<!ENTITY l")
                    .append(i)
                    .append(" \"")
                    .append(("&l" + (i - 1) + ";").repeat(10))
                    .append("\">");
        }
        return definitions.toString();
    }

    public static byte[] zip(Map<String, String> files) throws Exception {
        Map<String, byte[]> contents = new LinkedHashMap<>();
        files.forEach((name, text) -> contents.put(name, text.getBytes(StandardCharsets.UTF_8)));
        return zipOf(contents);
    }

    static byte[] zipOf(Map<String, byte[]> files) throws Exception {
        return bytes(out -> {
            try (ZipOutputStream zip = new ZipOutputStream(out)) {
                for (Map.Entry<String, byte[]> file : files.entrySet()) {
                    zip.putNextEntry(new ZipEntry(file.getKey()));
                    zip.write(file.getValue());
                }
            }
        });
    }

    /** One entry of {@code megabytes} of blanks. */
    static byte[] zipBomb(String name, int megabytes) throws Exception {
        return bytes(out -> {
            try (ZipOutputStream zip = new ZipOutputStream(out)) {
                zip.putNextEntry(new ZipEntry(name));
                blanks(zip, megabytes);
            }
        });
    }

    private static void blanks(OutputStream out, int megabytes) throws IOException {
        byte[] blanks = " ".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < megabytes; i++) {
            out.write(blanks);
        }
    }
}
