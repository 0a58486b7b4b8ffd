package dev.veilgate.testing;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Mails with a PDF, harmless or much work to read. */
public final class AttachedPdf {
    private AttachedPdf() {}

    private static final String FONT =
            "/Font<</T<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>";

    /** A PDF of one page with a text of ASCII without parentheses. */
    public static byte[] ofText(String text) {
        return file("<<" + FONT + ">>", stream("", shown(text)));
    }

    private static String shown(String text) {
        return "BT /T 12 Tf 50 700 Td (" + text + ") Tj ET";
    }

    /**
     * A PDF whose page draws a form that draws the next one twice, and so on: {@code 2^depth} forms, and behind them a
     * text.
     */
    public static byte[] ofNestedForms(int depth, String text) {
        List<String> objects = new ArrayList<>();
        objects.add(stream("", "/F Do " + shown(text)));
        for (int i = 0; i < depth; i++) {
            boolean isLast = i + 1 == depth;
            String next = isLast ? "" : "/Resources<</XObject<</F " + (6 + i) + " 0 R>>>>";
            objects.add(stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]" + next, isLast ? "q Q" : "/F Do /F Do"));
        }
        return file("<</XObject<</F 5 0 R>>" + FONT + ">>", objects.toArray(String[]::new));
    }

    private static String stream(String dictionary, String content) {
        return "<<" + dictionary + "/Length " + content.length() + ">>\nstream\n" + content + "\nendstream";
    }

    /** @param objects from number 4 on, which is the page's content */
    private static byte[] file(String resources, String... objects) {
        List<String> all = new ArrayList<>(List.of(
                "<</Type/Catalog/Pages 2 0 R>>",
                "<</Type/Pages/Count 1/Kids[3 0 R]>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources" + resources + ">>"));
        all.addAll(List.of(objects));
        StringBuilder file = new StringBuilder("%PDF-1.5\n");
        StringBuilder table = new StringBuilder("xref\n0 " + (all.size() + 1) + "\n0000000000 65535 f \n");
        for (int i = 0; i < all.size(); i++) {
            table.append("%010d 00000 n \n".formatted(file.length()));
            file.append(i + 1).append(" 0 obj\n").append(all.get(i)).append("\nendobj\n");
        }
        int at = file.length();
        file.append(table).append("trailer\n<</Size ").append(all.size() + 1).append("/Root 1 0 R>>\nstartxref\n");
        return file.append(at).append("\n%%EOF\n").toString().getBytes(StandardCharsets.US_ASCII);
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
