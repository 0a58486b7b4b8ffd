package dev.veilgate.extract.mail;

import dev.veilgate.testing.AttachedPdf;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Small files that are much work to read. */
final class HostileAttachments {
    private static final String OFFICE = "http://schemas.openxmlformats.org/";

    private HostileAttachments() {}

    /** Each by its name. */
    static Map<String, byte[]> all() throws Exception {
        Map<String, byte[]> all = new LinkedHashMap<>();
        all.put("forms that draw the next form twice", nestedForms(30));
        all.put("one form drawn 3,000 times", repeatedForm());
        all.put("2,000 pages that share a stream", sharedStream());
        all.put("500 fonts that share a character map", sharedCharacterMap());
        all.put("a page of a million operators", operators());
        all.put("a tree of pages that has itself as a branch", pageLoop());
        all.put("20,000 objects and no table of them", noTable());
        all.put("bookmarks without end", bookmarks());
        all.put("fields of a form 20,000 deep in one another", deepFields(20_000));
        all.put("an image in JBIG2 of 60,000 by 60,000", jbig2());
        all.put("40 nested forms in an archive", zipOfForms());
        all.put("archives in archives", zipInZip());
        all.put("a million styles of a sheet", sheetOfStyles());
        all.put("a sheet of three million cells", sheetOfCells());
        all.put("a document of 100 MB of text runs", documentOfRuns());
        all.put("100,000 groups of RTF in one another", rtfGroups());
        all.put("30,000 objects of RTF", rtfObjects());
        all.put("an open document of 400,000 tables in one another", openDocument());
        return all;
    }

    /** Mails of attachments that are little work for a reader, each by its name. */
    static Map<String, byte[]> mails() throws Exception {
        Map<String, byte[]> mails = new LinkedHashMap<>();
        mails.put("900,000 characters that fold to eighteen each", mail(packed("\ufdfa")));
        mails.put("900,000 characters of Chinese", mail(packed("\u4e00\u4e01")));
        mails.put("1,000 beginnings of a PDF", mail(Collections.nCopies(1_000, ascii("%PDF-1"))));
        mails.put(
                "1,000 beginnings of an archive",
                mail(Collections.nCopies(1_000, new byte[] {'P', 'K', 3, 4, 0, 0, 0, 0})));
        mails.put(
                "nested forms behind one of each kind",
                mail(List.of(
                        WarmUp.document(WarmUp.Kind.OFFICE_PACKAGE),
                        WarmUp.document(WarmUp.Kind.COMPOUND_FILE),
                        nestedForms(30))));
        return mails;
    }

    /** A mail that has an attachment of each kind. */
    static byte[] harmlessMail() throws Exception {
        List<byte[]> files = new ArrayList<>();
        for (WarmUp.Kind kind : WarmUp.Kind.values()) {
            files.add(WarmUp.document(kind));
        }
        return mail(files);
    }

    private static List<byte[]> packed(String piece) throws Exception {
        return List.of(gzip(piece.repeat(900_000 / piece.length()).getBytes(StandardCharsets.UTF_8)));
    }

    private static byte[] mail(List<byte[]> files) {
        StringBuilder mail = new StringBuilder("Subject: owls\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n");
        for (byte[] file : files) {
            mail.append("--b\nContent-Type:application/pdf\nContent-Transfer-Encoding:base64\n\n")
                    .append(Base64.getEncoder().encodeToString(file))
                    .append('\n');
        }
        return ascii(mail.append("--b--\n").toString());
    }

    private static byte[] stream(String dictionary, byte[] content) throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(packed, new Deflater(9))) {
            out.write(content);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(ascii("<<" + dictionary + "/Filter/FlateDecode/Length " + packed.size() + ">>\nstream\n"));
        all.write(packed.toByteArray());
        all.write(ascii("\nendstream"));
        return all.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static final String PAGES = "<</Type/Pages/Count 1/Kids[3 0 R]>>";
    private static final String ROOT = "<</Type/Catalog/Pages 2 0 R>>";

    private static String page(String resources) {
        return "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<<" + resources + ">>>>";
    }

    static byte[] nestedForms(int depth) {
        return AttachedPdf.ofNestedForms(depth, "owls");
    }

    private static byte[] repeatedForm() throws Exception {
        String text = "BT /F 12 Tf 50 700 Td " + "(owls and larks) Tj ".repeat(2_000) + "ET";
        return AttachedPdf.document(
                ascii(ROOT),
                ascii(PAGES),
                ascii(page("/XObject<</X 5 0 R>>")),
                stream("", ascii("/X Do ".repeat(3_000))),
                stream(
                        "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F"
                                + "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>",
                        ascii(text)));
    }

    private static byte[] sharedStream() throws Exception {
        int pages = 2_000;
        byte[][] objects = new byte[4 + pages][];
        StringBuilder kids = new StringBuilder();
        for (int i = 0; i < pages; i++) {
            kids.append(5 + i).append(" 0 R ");
            objects[4 + i] = ascii("<</Type/Page/Parent 2 0 R/Contents 4 0 R>>");
        }
        objects[0] = ascii(ROOT);
        objects[1] = ascii("<</Type/Pages/Count " + pages + "/Kids[" + kids
                + "]/MediaBox[0 0 9 9]/Resources<</Font<</F 3 0 R>>>>>>");
        objects[2] = ascii("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
        objects[3] = stream("", ascii("BT /F 12 Tf " + "(owl) Tj ".repeat(50_000) + "ET"));
        return AttachedPdf.document(objects);
    }

    private static byte[] sharedCharacterMap() throws Exception {
        int fonts = 500;
        StringBuilder names = new StringBuilder();
        StringBuilder use = new StringBuilder("BT ");
        byte[][] objects = new byte[5 + fonts][];
        for (int i = 0; i < fonts; i++) {
            names.append("/F").append(i).append(' ').append(6 + i).append(" 0 R");
            use.append("/F").append(i).append(" 9 Tf <0041> Tj ");
            objects[5 + i] = ascii("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 5 0 R>>");
        }
        StringBuilder map = new StringBuilder("1 begincodespacerange <0000> <ffff> endcodespacerange\n");
        for (int i = 0; i < 600; i++) {
            map.append("100 beginbfrange\n");
            for (int j = 0; j < 100; j++) {
                map.append(String.format("<%04x> <%04x> <0041>\n", i * 100 + j, i * 100 + j));
            }
            map.append("endbfrange\n");
        }
        objects[0] = ascii(ROOT);
        objects[1] = ascii(PAGES);
        objects[2] = ascii(page("/Font<<" + names + ">>"));
        objects[3] = stream("", ascii(use + "ET"));
        objects[4] = stream("", ascii(map.toString()));
        return AttachedPdf.document(objects);
    }

    private static byte[] operators() throws Exception {
        return AttachedPdf.document(
                ascii(ROOT), ascii(PAGES), ascii(page("")), stream("", ascii("q 1 0 0 1 0 0 cm Q ".repeat(1_000_000))));
    }

    private static byte[] pageLoop() throws Exception {
        return AttachedPdf.document(
                ascii(ROOT),
                ascii("<</Type/Pages/Count 1000000000/Kids[" + "2 0 R 3 0 R ".repeat(2_000) + "]>>"),
                ascii(page("")),
                stream("", ascii("q Q")));
    }

    private static byte[] noTable() {
        StringBuilder file = new StringBuilder("%PDF-1.5\n");
        for (int i = 1; i < 20_000; i++) {
            file.append(i % 7).append(" 0 obj\n<</Length 99 0 R>> stream\nendstrea\n");
        }
        return ascii(file.append("startxref\n5\n%%EOF").toString());
    }

    private static byte[] bookmarks() throws Exception {
        return AttachedPdf.document(
                ascii("<</Type/Catalog/Pages 2 0 R/Outlines 5 0 R>>"),
                ascii(PAGES),
                ascii(page("")),
                stream("", ascii("q Q")),
                ascii("<</Type/Outlines/First 6 0 R/Last 6 0 R/Count 2>>"),
                ascii("<</Title(owls)/Parent 5 0 R/First 6 0 R/Last 6 0 R/Next 7 0 R/Count 1>>"),
                ascii("<</Title(larks)/Parent 5 0 R/First 6 0 R/Next 6 0 R/Count 1>>"));
    }

    /** Runs over the stack of whoever follows the fields. */
    static byte[] deepFields(int depth) {
        byte[][] objects = new byte[3 + depth][];
        objects[0] = ascii("<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>");
        objects[1] = ascii(PAGES);
        objects[2] = ascii("<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>");
        for (int i = 0; i < depth; i++) {
            String kids = i + 1 < depth ? "/Kids[" + (i + 5) + " 0 R]" : "/FT/Tx";
            objects[3 + i] = ascii("<</T(a)" + kids + ">>");
        }
        return AttachedPdf.document(objects);
    }

    private static byte[] jbig2() throws Exception {
        byte[] image =
                ascii("<</Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 1/ColorSpace/DeviceGray"
                        + "/Filter/JBIG2Decode/Length 4>>\nstream\nabcd\nendstream");
        return AttachedPdf.document(
                ascii(ROOT),
                ascii(PAGES),
                ascii(page("/XObject<</I 5 0 R>>")),
                stream("", ascii("/I Do ".repeat(100_000))),
                image);
    }

    static byte[] gzip(byte[] content) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    private interface Content {
        void write(OutputStream out) throws Exception;
    }

    private static void entry(ZipOutputStream zip, String name, Content content) throws Exception {
        zip.putNextEntry(new ZipEntry(name));
        content.write(zip);
    }

    private static byte[] zip(String[] names, Content... contents) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.setLevel(9);
            for (int i = 0; i < names.length; i++) {
                entry(zip, names[i], contents[i]);
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] zipOfForms() throws Exception {
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (int i = 0; i < 40; i++) {
            files.put(i + ".pdf", nestedForms(18));
        }
        return Attachments.zipOf(files);
    }

    private static byte[] zipInZip() throws Exception {
        byte[] core = Attachments.zipBomb("a.txt", 30);
        for (int level = 0; level < 3; level++) {
            Map<String, byte[]> files = new LinkedHashMap<>();
            for (int i = 0; i < 5; i++) {
                files.put(i + ".zip", core);
            }
            core = Attachments.zipOf(files);
        }
        return core;
    }

    private static Content repeat(String before, String piece, int times, String behind) {
        return out -> {
            out.write(ascii(before));
            byte[] block = ascii(piece.repeat(1_000));
            for (int i = 0; i < times / 1_000; i++) {
                out.write(block);
            }
            out.write(ascii(behind));
        };
    }

    private static Content text(String text) {
        return out -> out.write(ascii(text));
    }

    private static byte[] office(String main, String kind, String[] names, Content... contents) throws Exception {
        String own = "application/vnd.openxmlformats-officedocument.";
        String override = "<Override PartName=\"/%s\" ContentType=\"" + own + "%s+xml\"/>";
        String types = "<Types xmlns=\"" + OFFICE + "package/2006/content-types\"><Default Extension=\"rels\" "
                + "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
                + override.formatted(main, kind + ".main")
                + override.formatted("xl/styles.xml", "spreadsheetml.styles")
                + override.formatted("xl/worksheets/s.xml", "spreadsheetml.worksheet") + "</Types>";
        String relations = "<Relationships xmlns=\"" + OFFICE
                + "package/2006/relationships\"><Relationship Id=\"r\" Type=\"" + OFFICE
                + "officeDocument/2006/relationships/officeDocument\" Target=\"" + main + "\"/></Relationships>";
        String[] all = new String[names.length + 2];
        Content[] written = new Content[names.length + 2];
        all[0] = "[Content_Types].xml";
        written[0] = text(types);
        all[1] = "_rels/.rels";
        written[1] = text(relations);
        System.arraycopy(names, 0, all, 2, names.length);
        System.arraycopy(contents, 0, written, 2, names.length);
        return zip(all, written);
    }

    private static byte[] sheet(Content styles, Content cells) throws Exception {
        String main = OFFICE + "spreadsheetml/2006/main";
        String relation =
                "<Relationship Id=\"%s\" Type=\"" + OFFICE + "officeDocument/2006/relationships/%s\" Target=\"%s\"/>";
        return office(
                "xl/workbook.xml",
                "spreadsheetml.sheet",
                new String[] {"xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml", "xl/worksheets/s.xml"},
                text("<workbook xmlns=\"" + main + "\" xmlns:r=\"" + OFFICE
                        + "officeDocument/2006/relationships\"><sheets><sheet name=\"a\" sheetId=\"1\" r:id=\"s\"/>"
                        + "</sheets></workbook>"),
                text("<Relationships xmlns=\"" + OFFICE + "package/2006/relationships\">"
                        + relation.formatted("s", "worksheet", "worksheets/s.xml")
                        + relation.formatted("t", "styles", "styles.xml") + "</Relationships>"),
                styles,
                cells);
    }

    private static byte[] sheetOfStyles() throws Exception {
        String main = OFFICE + "spreadsheetml/2006/main";
        return sheet(
                repeat(
                        "<styleSheet xmlns=\"" + main + "\"><cellXfs>",
                        "<xf numFmtId=\"14\" xfId=\"0\"/>",
                        1_000_000,
                        "</cellXfs></styleSheet>"),
                text("<worksheet xmlns=\"" + main
                        + "\"><sheetData><row><c t=\"inlineStr\"><is><t>owls</t></is></c></row></sheetData>"
                        + "</worksheet>"));
    }

    private static byte[] sheetOfCells() throws Exception {
        String main = OFFICE + "spreadsheetml/2006/main";
        return sheet(
                text("<styleSheet xmlns=\"" + main + "\"/>"),
                repeat(
                        "<worksheet xmlns=\"" + main + "\"><sheetData>",
                        "<row><c><v>1</v></c></row>",
                        3_000_000,
                        "</sheetData></worksheet>"));
    }

    private static byte[] documentOfRuns() throws Exception {
        return office(
                "word/document.xml",
                "wordprocessingml.document",
                new String[] {"word/document.xml"},
                repeat(
                        "<d:document xmlns:d=\"" + OFFICE + "wordprocessingml/2006/main\"><d:body><d:p>",
                        "<d:r><d:rPr><d:b/><d:i/></d:rPr><d:t/></d:r>",
                        2_200_000,
                        "</d:p></d:body></d:document>"));
    }

    private static byte[] rtfGroups() {
        return ascii("{\\rtf1 " + "{\\b ".repeat(100_000) + "owls" + "}".repeat(100_000) + "}");
    }

    private static byte[] rtfObjects() {
        return ascii("{\\rtf1 " + "{\\object\\objemb{\\*\\objdata 0105000002000000}}".repeat(30_000) + "owls}");
    }

    private static byte[] openDocument() throws Exception {
        return zip(
                new String[] {"mimetype", "content.xml"},
                text("application/vnd.oasis.opendocument.text"),
                repeat("<office:document-content xmlns:office=\"o\" xmlns:table=\"t\">", "<table:table>", 400_000, ""));
    }
}
