package dev.veilgate.extract.mail;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** What is done with a part of a type: read as text, read as a file, or passed over. */
final class PartTypes {
    private static final Set<String> TEXT_TYPES = Set.of(
            "application/json",
            "application/javascript",
            "application/x-javascript",
            "application/x-sh",
            "application/x-patch",
            "application/x-yaml",
            "application/yaml",
            "application/sql",
            "application/pgp"); // of text that is signed

    private static final Set<String> SIGNATURES = Set.of(
            "application/pgp-signature",
            "application/pkcs7-signature",
            "application/x-pkcs7-signature",
            "application/pgp-keys");

    private static final Set<String> ENCRYPTED =
            Set.of("application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime");

    private static final List<String> FILE_TYPES = List.of(
            "application/pdf",
            "application/msword",
            "application/vnd.ms-",
            "application/vnd.openxmlformats-officedocument",
            "application/vnd.oasis.opendocument",
            "application/ms-tnef",
            "application/rtf",
            "application/zip",
            "application/x-zip",
            "application/gzip",
            "application/x-gzip",
            "text/rtf",
            "text/richtext-format");

    private static final List<byte[]> FILE_STARTS = List.of(
            start("%PDF-"),
            start("PK\u0003\u0004"),
            start("\u00d0\u00cf\u0011\u00e0"),
            start("{\\rtf"),
            start("\u001f\u008b\u0008"),
            start("x\u009f>\""));

    private PartTypes() {}

    private static byte[] start(String bytes) {
        return bytes.getBytes(StandardCharsets.ISO_8859_1);
    }

    static boolean isSignature(String type) {
        return SIGNATURES.contains(type);
    }

    static boolean isEncrypted(String type) {
        return ENCRYPTED.contains(type);
    }

    /** @param head the first bytes of the part */
    static boolean isFile(String type, byte[] head) {
        return isFileType(type) || startsAsFile(head);
    }

    /** Whether mail programs show a part as the text that it says it is, though it begins like a file of another kind. */
    static boolean isShown(String type, byte[] head) {
        return type.startsWith("text/") && !isFileType(type) && looksLikeText(head);
    }

    /** @param head the first bytes of the part, that tell what a part is that says nothing of itself */
    static boolean isText(String type, byte[] head) {
        return type.startsWith("text/")
                || type.startsWith("message/")
                || TEXT_TYPES.contains(type)
                || TextForm.isXml(type)
                || TextForm.isDirectory(type)
                || type.equals("application/octet-stream") && looksLikeText(head);
    }

    private static boolean isFileType(String type) {
        return FILE_TYPES.stream().anyMatch(type::startsWith);
    }

    private static boolean startsAsFile(byte[] head) {
        for (byte[] start : FILE_STARTS) {
            boolean same = head.length >= start.length;
            for (int i = 0; same && i < start.length; i++) {
                same = head[i] == start[i];
            }
            if (same) {
                return true;
            }
        }
        return false;
    }

    private static boolean looksLikeText(byte[] head) {
        for (byte b : head) {
            if (b >= 0 && b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != 0x1b) {
                return false;
            }
        }
        return head.length > 0;
    }
}
