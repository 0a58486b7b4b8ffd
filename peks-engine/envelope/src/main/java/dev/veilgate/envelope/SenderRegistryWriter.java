package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.files.DurableFiles;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;

/** Writes and signs a {@link SenderRegistry}: entry by entry, then the head in front of them. */
public final class SenderRegistryWriter {
    private static final int BUFFER_BYTES = 1 << 16;

    /** Who gives the entries. */
    @FunctionalInterface
    public interface Entries {
        /** Gives each to {@link SenderRegistryWriter#add}, in ascending order of the bytes of their names. */
        void writeTo(SenderRegistryWriter registry) throws IOException;
    }

    private final OutputStream out;
    private final MessageDigest all = Hashes.sha256();
    private byte[] lastName = new byte[0];
    private int count;

    private SenderRegistryWriter(OutputStream out) {
        this.out = out;
    }

    /**
     * Writes a registry, durably, in the place of what has that name; nobody sees a part of it.
     *
     * @param serial higher than that of any registry that was handed out
     * @return its head
     */
    public static SenderRegistryHead write(Path folder, String name, long serial, SigningKey authority, Entries entries)
            throws IOException {
        String tenant = authority.publicKey().sender();
        SenderRegistryHead[] head = new SenderRegistryHead[1];
        DurableFiles.replace(folder, name, (FileChannel file) -> {
            int headBytes = new SenderRegistryHead(tenant, serial, 0, new byte[Hashes.SHA256_BYTES])
                    .bytesSignedBy(authority.publicKey());
            file.position(headBytes);
            OutputStream buffered = new BufferedOutputStream(Channels.newOutputStream(file), BUFFER_BYTES);
            SenderRegistryWriter registry = new SenderRegistryWriter(buffered);
            entries.writeTo(registry);
            buffered.flush();
            head[0] = new SenderRegistryHead(tenant, serial, registry.count, registry.all.digest());
            ByteBuffer signed = ByteBuffer.wrap(head[0].sign(authority));
            for (long at = 0; signed.hasRemaining(); at = signed.position()) {
                file.write(signed, at);
            }
        });
        return head[0];
    }

    /**
     * Adds the next sender.
     *
     * @throws IllegalArgumentException if its name is not behind the last one's, or it is an authority's key
     * @throws IOException              also if there are too many
     */
    public void add(SenderPublicKey key) throws IOException {
        if (key.version() != SenderPublicKey.SENDER) {
            throw new IllegalArgumentException("the key of an authority is no sender's");
        }
        byte[] name = ByteWriter.utf8(key.sender());
        if (Arrays.compareUnsigned(lastName, name) >= 0) {
            throw new IllegalArgumentException("senders come in ascending order of their names, each once");
        }
        if (count == SenderRegistryHead.MAX_SENDERS) {
            throw new IOException("a tenant has at most " + SenderRegistryHead.MAX_SENDERS + " registered senders");
        }
        lastName = name;
        byte[] encoded = key.encode();
        out.write(new CborWriter(encoded.length + 8).bytes(encoded).toByteArray());
        all.update(Hashes.sha256(encoded));
        count++;
    }
}
