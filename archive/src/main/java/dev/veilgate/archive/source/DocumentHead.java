package dev.veilgate.archive.source;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Tells documents that are read as attachments of mails are, by their first bytes or by their name. */
final class DocumentHead {
    /** PDF; ZIP, which office documents, e-books and packed files are; office documents of before; RTF. */
    private static final List<byte[]> BEGINNINGS = List.of(
            "%PDF-".getBytes(StandardCharsets.US_ASCII),
            new byte[] {'P', 'K', 3, 4},
            new byte[] {(byte) 0xD0, (byte) 0xCF, 0x11, (byte) 0xE0, (byte) 0xA1, (byte) 0xB1, 0x1A, (byte) 0xE1},
            "{\\rtf".getBytes(StandardCharsets.US_ASCII));

    private DocumentHead() {}

    /** Tells if a file is one by its first bytes. */
    static boolean isDocument(byte[] head) {
        return BEGINNINGS.stream().anyMatch(beginning -> begins(head, beginning));
    }

    /** Tells if a text is of the web, whose tags are no words. */
    static boolean isWebPage(String name) {
        return name.toLowerCase(Locale.ROOT).matches("(?s).*\\.x?html?");
    }

    private static boolean begins(byte[] head, byte[] beginning) {
        if (head.length < beginning.length) {
            return false;
        }
        for (int i = 0; i < beginning.length; i++) {
            if (head[i] != beginning[i]) {
                return false;
            }
        }
        return true;
    }
}
