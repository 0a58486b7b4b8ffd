package dev.veilgate.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Mails with a PDF, harmless or much work to read. */
public final class AttachedPdf {
    private static final String ROOT = "<</Type/Catalog/Pages 2 0 R>>";
    private static final String FONT =
            "/Font<</T<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>";
    private static final int LINES_OF_A_PAGE = 50;

    private AttachedPdf() {}

    /** A PDF of one page with a text of ASCII without parentheses. */
    public static byte[] ofText(String text) {
        return onePage(FONT, stream(shown(text)));
    }

    private static String shown(String text) {
        return "BT /T 12 Tf 50 700 Td (" + text + ") Tj ET";
    }

    /** A PDF of pages that are full of a line of text, a little different each time. */
    public static byte[] ofPages(int pages, String line) {
        List<String> objects = new ArrayList<>(List.of(ROOT, ""));
        StringBuilder kids = new StringBuilder();
        for (int page = 0; page < pages; page++) {
            StringBuilder text = new StringBuilder("BT /T 10 Tf 12 TL 40 750 Td ");
            for (int i = 0; i < LINES_OF_A_PAGE; i++) {
                text.append('(')
                        .append(line)
                        .append(' ')
                        .append(page * LINES_OF_A_PAGE + i)
                        .append(") Tj T* ");
            }
            objects.add(stream(text + "ET"));
            kids.append(objects.size() + 1).append(" 0 R ");
            objects.add("<</Type/Page/Parent 2 0 R/Contents " + objects.size() + " 0 R>>");
        }
        objects.set(
                1,
                "<</Type/Pages/Count " + pages + "/Kids[" + kids + "]/MediaBox[0 0 612 792]/Resources<<" + FONT
                        + ">>>>");
        return document(objects.stream().map(AttachedPdf::ascii).toArray(byte[][]::new));
    }

    /**
     * A PDF whose page draws a form that draws the next one twice, and so on: {@code 2^depth} forms, and behind them a
     * text.
     */
    public static byte[] ofNestedForms(int depth, String text) {
        List<String> objects = new ArrayList<>();
        objects.add(stream("/F Do " + shown(text)));
        for (int i = 0; i < depth; i++) {
            boolean isLast = i + 1 == depth;
            String next = isLast ? "" : "/Resources<</XObject<</F " + (6 + i) + " 0 R>>>>";
            String content = isLast ? "q Q" : "/F Do /F Do";
            objects.add("<</Type/XObject/Subtype/Form/BBox[0 0 9 9]" + next
                    + stream(content).substring(2));
        }
        return onePage("/XObject<</F 5 0 R>>" + FONT, objects.toArray(String[]::new));
    }

    private static String stream(String content) {
        return "<</Length " + content.length() + ">>\nstream\n" + content + "\nendstream";
    }

    /** @param objects from number 4 on, which is the page's content */
    private static byte[] onePage(String resources, String... objects) {
        List<String> all = new ArrayList<>(List.of(
                ROOT,
                "<</Type/Pages/Count 1/Kids[3 0 R]>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<<" + resources + ">>>>"));
        all.addAll(List.of(objects));
        return document(all.stream().map(AttachedPdf::ascii).toArray(byte[][]::new));
    }

    /**
     * A PDF of any objects, with a table of where they are.
     *
     * @param objects from number 1 on, which is its root
     */
    public static byte[] document(byte[]... objects) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(ascii("%PDF-1.5\n"));
        StringBuilder table = new StringBuilder("xref\n0 " + (objects.length + 1) + "\n0000000000 65535 f \n");
        for (int i = 0; i < objects.length; i++) {
            table.append("%010d 00000 n \n".formatted(file.size()));
            file.writeBytes(ascii((i + 1) + " 0 obj\n"));
            file.writeBytes(objects[i]);
            file.writeBytes(ascii("\nendobj\n"));
        }
        file.writeBytes(ascii(table + "trailer\n<</Size " + (objects.length + 1) + "/Root 1 0 R>>\nstartxref\n"
                + file.size() + "\n%%EOF\n"));
        return file.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * A mail of a text and a PDF.
     *
     * @param header fields, each with CR LF
     */
    public static String mail(String header, String text, byte[] pdf) {
        return header + "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=pdf\r\n\r\n--pdf\r\n\r\n" + text
                + "\r\n--pdf\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n"
                + "Content-Disposition: attachment; filename=a.pdf\r\n\r\n"
                + Base64.getMimeEncoder().encodeToString(pdf) + "\r\n--pdf--\r\n";
    }
}
