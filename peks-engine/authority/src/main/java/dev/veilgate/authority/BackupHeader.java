package dev.veilgate.authority;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;

/**
 * What a backup says of itself in clear. The stream key is bound to all of it but the check.
 *
 * <pre>{@code
 * header = [ "veilgate-backup", 1, tenant: tstr, id: bstr 16, created: uint (seconds), threshold: uint, shares: uint, check: bstr 32 ]
 * }</pre>
 */
@SuppressWarnings("ArrayRecordComponent")
record BackupHeader(String tenant, byte[] id, long created, int threshold, int shares) {
    static final int MAX_BYTES = 512;

    static final String MAGIC = "veilgate-backup";
    private static final int VERSION = 1;
    private static final int ITEMS = 8;
    private static final long MAX_SECONDS = 253_402_300_799L;

    /** A header as read. */
    record Read(BackupHeader header, byte[] check) {}

    byte[] binding() {
        return encode(new byte[0]);
    }

    byte[] encode(byte[] check) {
        return new CborWriter(MAX_BYTES)
                .array(ITEMS)
                .text(MAGIC)
                .integer(VERSION)
                .text(tenant)
                .bytes(id)
                .integer(created)
                .integer(threshold)
                .integer(shares)
                .bytes(check)
                .toByteArray();
    }

    static Read decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("backup", bytes);
        if (in.array("header", ITEMS) != ITEMS
                || !in.nextIsText()
                || !in.text("magic", 64).equals(MAGIC)) {
            throw in.malformed("magic", "must be " + MAGIC + ": a file of veilgate keys backup");
        }
        if (in.uint("version", Integer.MAX_VALUE) != VERSION) {
            throw in.malformed("version", "must be " + VERSION + "; update the software to read a later one");
        }
        BackupHeader header = new BackupHeader(
                in.text("tenant", 255),
                in.fixedBytes("id", KeyShare.ID_BYTES),
                in.unsigned("created", MAX_SECONDS),
                in.uint("threshold", ShamirSharing.MAX_SHARES),
                in.uint("shares", ShamirSharing.MAX_SHARES));
        byte[] check = in.fixedBytes("check", BackupCipher.CHECK_BYTES);
        in.end();
        if (header.threshold < 2 || header.threshold > header.shares) {
            throw in.malformed("threshold", "must be 2 to the number of shares");
        }
        return new Read(header, check);
    }
}
