package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.airlift.compress.bzip2.BZip2HadoopStreams;
import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Compressed files as programs write them that work on several parts at a time, or append to what is there. */
class CompressionTest {
    /** Longer than the buffers of all readers, when they are compressed too. */
    private static final List<Integer> PARTS = List.of(0, 1, 200_000, 0, 0, 17, 65_536, 300_000, 5, 0);

    private static final int BUFFER = 1 << 16;

    private final Random random = new Random(1);

    @TempDir
    private Path folder;

    private static byte[] pack(Compression form, byte[] bytes) throws IOException {
        if (form == Compression.BZIP2 && bytes.length == 0) { // the library writes a byte more than bzip2
            return HexFormat.of().parseHex("425a683917724538509000000000");
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = switch (form) {
            case GZIP -> new GZIPOutputStream(packed);
            case XZ -> new XZOutputStream(packed, new LZMA2Options(0));
            case ZSTANDARD -> new ZstdOutputStream(packed);
            case BZIP2 -> new BZip2HadoopStreams().createOutputStream(packed);
        }) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }

    private byte[] read(Compression form, byte[] packed) throws IOException {
        Path file = Files.write(folder.resolve("app.log.1" + form.suffix()), packed);
        Compression known = Objects.requireNonNull(Compression.of(file));
        assertThat(known).isEqualTo(form);
        try (FileChannel channel = FileChannel.open(file);
                InputStream in = known.open(channel)) {
            return in.readAllBytes();
        }
    }

    /** Half of it does not compress, so that packed parts end anywhere in a buffer. */
    private byte[] part(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        Arrays.fill(bytes, length / 2, length, (byte) 'x');
        return bytes;
    }

    @ParameterizedTest
    @EnumSource
    void aFileOfSeveralStreamsIsReadToItsEnd(Compression form) throws Exception {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        for (int length : PARTS) {
            byte[] part = part(length);
            plain.write(part);
            packed.write(pack(form, part));
        }
        assertThat(read(form, packed.toByteArray())).isEqualTo(plain.toByteArray());
    }

    /** The header of the last stream is at each place around the end of a buffer. */
    @Test
    void aStreamOfBzip2MayBeginAnywhere() throws Exception {
        byte[] first = part(60_000);
        random.nextBytes(first);
        byte[] packed = pack(Compression.BZIP2, first);
        byte[] none = pack(Compression.BZIP2, new byte[0]);
        byte[] one = pack(Compression.BZIP2, new byte[] {'a'});
        byte[] last = pack(Compression.BZIP2, part(70_000));
        for (int place = BUFFER - 12; place < BUFFER + 3; place++) {
            int ones = 0;
            while ((place - packed.length - ones * one.length) % none.length != 0) {
                ones++;
            }
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.write(packed);
            for (int i = 0; i < ones; i++) {
                all.write(one);
            }
            while (all.size() < place) {
                all.write(none);
            }
            assertThat(all.size()).isEqualTo(place);
            all.write(last);
            assertThat(read(Compression.BZIP2, all.toByteArray()))
                    .as("at %s", place)
                    .hasSize(first.length + ones + 70_000)
                    .startsWith(first);
        }
    }

    static Stream<Arguments> cuts() {
        return Arrays.stream(Compression.values())
                .flatMap(form -> IntStream.of(1, 9, 1000, -1, -3, -9, -12).mapToObj(cut -> Arguments.of(form, cut)));
    }

    @ParameterizedTest
    @MethodSource("cuts")
    void aFileThatEndsInItsSecondStreamIsNotWhole(Compression form, int cut) throws Exception {
        byte[] first = pack(form, part(100_000));
        byte[] second = pack(form, part(100_000));
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        byte[] part = Arrays.copyOf(both, cut > 0 ? both.length - cut : first.length - cut);
        assertThatThrownBy(() -> read(form, part)).isInstanceOf(EOFException.class);
    }

    /** A frame without a check sum, of one block that is not compressed: whatever is behind a cut could be its end. */
    @Test
    void aFrameWithoutACheckSumIsNotWholeWhereverItIsCut() throws Exception {
        int length = 200;
        byte[] frame = Arrays.copyOf(
                HexFormat.of().parseHex("28b52ffd20c8410600"), // 0x000641 = 200 << 3 | 1
                9 + length);
        Arrays.fill(frame, 9, frame.length, (byte) 'a');
        assertThat(read(Compression.ZSTANDARD, frame)).hasSize(length);
        for (int cut = 1; cut < frame.length; cut++) {
            byte[] part = Arrays.copyOf(frame, frame.length - cut);
            assertThatThrownBy(() -> read(Compression.ZSTANDARD, part))
                    .as("without its last %s bytes", cut)
                    .isInstanceOf(EOFException.class);
        }
    }

    @Test
    void anEmptyFileEndsAgainAndAgain() throws Exception {
        Path file = Files.createFile(folder.resolve("app.log.1.bz2"));
        try (FileChannel channel = FileChannel.open(file);
                InputStream in = Compression.BZIP2.open(channel)) {
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.read()).isEqualTo(-1);
        }
    }
}
