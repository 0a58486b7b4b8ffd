package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.Message;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that every store of objects passes. */
abstract class BlobStoreContractTest {
    BlobStore store;

    /** A store without objects. */
    abstract BlobStore open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    static Message.Body body(byte[] bytes) {
        return new Message.Body() {
            @Override
            public long length() {
                return bytes.length;
            }

            @Override
            public InputStream open() {
                return new ByteArrayInputStream(bytes);
            }
        };
    }

    BlobName put(byte[] bytes) throws Exception {
        BlobName name = BlobName.of(body(bytes));
        store.put(name, body(bytes));
        return name;
    }

    @Test
    void namesAreDigestsInSmallHexadecimal() throws Exception {
        assertThat(BlobName.of(body(new byte[0])).value())
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        for (String wrong : new String[] {"", "../x", "E3".repeat(32), "e3".repeat(31), "e3".repeat(33)}) {
            assertThatThrownBy(() -> new BlobName(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void rangesAreThoseOfTheObject() throws Exception {
        for (int length : new int[] {0, 1, 1000, 200_000}) {
            byte[] bytes = bytes(length);
            BlobName name = put(bytes);
            assertThat(store.length(name)).hasValue(length);
            assertThat(store.read(name, 0, length + 10)).isEqualTo(bytes);
            for (int[] range : new int[][] {{0, 0}, {0, 1}, {length / 2, length}, {length, 5}, {length + 7, 5}}) {
                int from = Math.min(range[0], length);
                assertThat(store.read(name, range[0], range[1]))
                        .isEqualTo(Arrays.copyOfRange(bytes, from, Math.min(length, from + range[1])));
            }
            assertThat(store.read(name, Long.MAX_VALUE, Integer.MAX_VALUE)).isEmpty();
            assertThatThrownBy(() -> store.read(name, -1, 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> store.read(name, 0, -1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void objectsAreListedAscendingAndRemoved() throws Exception {
        TreeSet<BlobName> names = new TreeSet<>();
        for (int i = 0; i < 20; i++) {
            names.add(put(bytes(i)));
        }
        put(bytes(3));
        assertThat(store.list()).containsExactlyElementsOf(names);
        BlobName gone = names.removeFirst();
        store.remove(gone);
        store.remove(gone);
        assertThat(store.list()).containsExactlyElementsOf(names);
        assertThat(store.length(gone)).isEmpty();
        assertThatThrownBy(() -> store.read(gone, 0, 1)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void bytesOfAnotherNameAreRefused() throws Exception {
        BlobName name = BlobName.of(body(bytes(10)));
        assertThatThrownBy(() -> store.put(name, body(bytes(11)))).isInstanceOf(MalformedEncodingException.class);
        assertThat(store.list()).isEmpty();
        store.put(name, body(bytes(10)));
        assertThatThrownBy(() -> store.put(name, body(bytes(11)))).isInstanceOf(MalformedEncodingException.class);
        assertThat(store.read(name, 0, 20)).isEqualTo(bytes(10));
    }

    @Test
    void anObjectThatCannotBeReadToItsEndIsNotKept() throws Exception {
        Message.Body broken = new Message.Body() {
            @Override
            public long length() {
                return 1000;
            }

            @Override
            public InputStream open() {
                return new InputStream() {
                    private int left = 500;

                    @Override
                    public int read() throws IOException {
                        if (left-- <= 0) {
                            throw new IOException("the connection broke");
                        }
                        return 0;
                    }
                };
            }
        };
        BlobName name = BlobName.of(body(new byte[1000]));
        assertThatThrownBy(() -> store.put(name, broken)).isInstanceOf(IOException.class);
        assertThat(store.list()).isEmpty();
        store.put(name, body(new byte[1000]));
        assertThat(store.list()).isEqualTo(List.of(name));
    }
}
