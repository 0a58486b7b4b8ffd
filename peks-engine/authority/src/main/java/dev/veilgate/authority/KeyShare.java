package dev.veilgate.authority;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of the shares of a backup's key: says which backup it is for, its place, and how many are needed. To be printed, kept apart from the others, and typed in again: its text
 * has four lines of six groups, each with a check of itself and the lines above it, so that a slip is found where it is.
 *
 * <pre>
 *   share = 01 || backup id (16) || threshold || shares || index || value (32)          52 bytes, 13 a line
 *   line  = Crockford's base 32 of (13 bytes || first 2 bytes of SHA-256("veilgate/share/1" || all bytes so far))
 * </pre>
 *
 * <p>Never printed by accident: only {@link #text} shows the value. {@link #close} erases it.
 */
@Secret
public final class KeyShare implements AutoCloseable {
    /** Most shares of a backup. */
    public static final int MAX_SHARES = ShamirSharing.MAX_SHARES;

    static final int ID_BYTES = 16;
    static final int VALUE_BYTES = 32;

    private static final int VERSION = 1;
    private static final int LINES = 4;
    private static final int LINE_BYTES = 13;
    private static final int CHECK_BYTES = 2;
    private static final int MAX_TEXT = 1 << 16;
    private static final String LABEL = "veilgate/share/1";
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final Pattern LINE = Pattern.compile("^\\s*([1-4])\\s*:(.*)$", Pattern.MULTILINE);

    private final byte[] backupId;
    private final int threshold;
    private final int shares;
    private final int index;
    private final byte[] value;

    KeyShare(byte[] backupId, int threshold, int shares, int index, byte[] value) {
        this.backupId = backupId.clone();
        this.threshold = threshold;
        this.shares = shares;
        this.index = index;
        this.value = value.clone();
    }

    /** Which share, from 1. */
    public int index() {
        return index;
    }

    /** How many restore. */
    public int threshold() {
        return threshold;
    }

    /** How many there are. */
    public int shares() {
        return shares;
    }

    /** Of which backup, hex. */
    public String backupId() {
        return HexFormat.of().formatHex(backupId);
    }

    boolean isOf(byte[] id) {
        return Arrays.equals(backupId, id);
    }

    byte[] value() {
        return value;
    }

    /**
     * The share in clear, for paper.
     *
     * @param tenant whose keys; for people, not read again
     */
    public String text(String tenant) {
        return text("tenant ", tenant);
    }

    /**
     * The share in clear, for paper.
     *
     * @param kind of what the keys are of, padded to the width of the other words
     * @param name of that; both are for people, not read again
     */
    String text(String kind, String name) {
        StringBuilder out = new StringBuilder()
                .append("Veilgate key share: secret; keep it apart from the other shares and from the backup\n")
                .append(kind + " ")
                .append(name.replaceAll("\\p{C}", "?"))
                .append("\nbackup  ")
                .append(backupId())
                .append("\nshare   ")
                .append(index + " of " + shares + "; any " + threshold + " of them restore the keys\n\n");
        byte[] bytes = encode();
        for (int line = 0; line < LINES; line++) {
            byte[] part = Arrays.copyOfRange(bytes, line * LINE_BYTES, (line + 1) * LINE_BYTES + CHECK_BYTES);
            System.arraycopy(check(bytes, (line + 1) * LINE_BYTES), 0, part, LINE_BYTES, CHECK_BYTES);
            out.append(line + 1).append(':');
            String digits = base32(part);
            for (int at = 0; at < digits.length(); at += 4) {
                out.append(' ').append(digits, at, at + 4);
            }
            out.append('\n');
        }
        Arrays.fill(bytes, (byte) 0);
        return out.toString();
    }

    /**
     * Reads a text: its four numbered lines, whatever stands around them. Small letters, O for 0 and I or L for 1 will do, blanks and hyphens do not matter.
     *
     * @throws MalformedEncodingException naming the line that is wrong
     */
    public static KeyShare parse(String text) throws MalformedEncodingException {
        if (text.length() > MAX_TEXT) {
            throw new MalformedEncodingException("share", "is longer than a share can be");
        }
        byte[] bytes = new byte[LINES * LINE_BYTES];
        Matcher lines = LINE.matcher(text);
        try {
            for (int line = 0; line < LINES; line++) {
                String field = "share, line " + (line + 1);
                if (!lines.find() || lines.group(1).charAt(0) - '1' != line) {
                    throw new MalformedEncodingException(field, "is not there: a share has lines 1: to 4:, once each");
                }
                byte[] part = unbase32(field, lines.group(2));
                System.arraycopy(part, 0, bytes, line * LINE_BYTES, LINE_BYTES);
                byte[] check = Arrays.copyOfRange(part, LINE_BYTES, part.length);
                if (!MessageDigest.isEqual(check, check(bytes, (line + 1) * LINE_BYTES))) {
                    throw new MalformedEncodingException(
                            field, "is mistyped, or of another share than the lines above");
                }
            }
            return decode(bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private byte[] encode() {
        return new ByteWriter(64)
                .uint8(VERSION)
                .bytes(backupId)
                .uint8(threshold)
                .uint8(shares)
                .uint8(index)
                .bytes(value)
                .toByteArray();
    }

    private static KeyShare decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("share", bytes);
        in.expect("version", VERSION);
        byte[] id = in.bytes("backup", ID_BYTES);
        byte[] numbers = in.bytes("numbers", 3);
        byte[] value = in.bytes("value", VALUE_BYTES);
        in.end();
        if (numbers[0] < 2
                || numbers[0] > numbers[1]
                || numbers[1] > ShamirSharing.MAX_SHARES
                || numbers[2] < 1
                || numbers[2] > numbers[1]) {
            throw new MalformedEncodingException("share.numbers", "must be 2 to 16 shares and one of them");
        }
        return new KeyShare(id, numbers[0], numbers[1], numbers[2], value);
    }

    private static byte[] check(byte[] bytes, int length) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(LABEL.getBytes(StandardCharsets.US_ASCII));
            sha.update(bytes, 0, length);
            return Arrays.copyOf(sha.digest(), CHECK_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** Of 15 bytes, 24 digits. */
    private static String base32(byte[] bytes) {
        StringBuilder out = new StringBuilder();
        for (int bit = 0; bit < 8 * bytes.length; bit += 5) {
            int digit = 0;
            for (int i = bit; i < bit + 5; i++) {
                digit = digit << 1 | bytes[i >> 3] >> 7 - (i & 7) & 1;
            }
            out.append(DIGITS.charAt(digit));
        }
        return out.toString();
    }

    private static byte[] unbase32(String field, String typed) throws MalformedEncodingException {
        String digits = typed.replaceAll("[\\s-]", "")
                .toUpperCase(Locale.ROOT)
                .replace('O', '0')
                .replace('I', '1')
                .replace('L', '1');
        byte[] bytes = new byte[LINE_BYTES + CHECK_BYTES];
        if (digits.length() != bytes.length * 8 / 5) {
            throw new MalformedEncodingException(field, "must have " + bytes.length * 8 / 5 + " letters and digits");
        }
        for (int i = 0; i < digits.length(); i++) {
            int digit = DIGITS.indexOf(digits.charAt(i));
            if (digit < 0) {
                throw new MalformedEncodingException(field, "must be of " + DIGITS);
            }
            for (int bit = 0; bit < 5; bit++) {
                int at = 5 * i + bit;
                bytes[at >> 3] |= (byte) ((digit >> 4 - bit & 1) << 7 - (at & 7));
            }
        }
        return bytes;
    }

    /** Erases the value. */
    @Override
    public void close() {
        Arrays.fill(value, (byte) 0);
    }

    @Override
    public String toString() {
        return "KeyShare[hidden, " + index + " of " + shares + "]";
    }
}
