package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.MemoryBlobs;
import dev.veilgate.sse.Message;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OpenSegmentsTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SegmentKeys keys = SegmentKeys.of(ArchiveKey.random(RANDOM), new byte[16]);
    private final List<BlobName> restored = new ArrayList<>();
    private final List<BlobName> put = new ArrayList<>();
    private final MemoryBlobs blobs = new MemoryBlobs();
    private Instant now = Instant.EPOCH;
    private final OpenSegments open = new OpenSegments(new Watched(), keys, RANDOM, () -> now);

    /** A store that says what is asked of it. */
    private final class Watched implements BlobStore {
        @Override
        public void put(BlobName name, Message.Body object) throws IOException, MalformedEncodingException {
            put.add(name);
            blobs.put(name, object);
        }

        @Override
        public OptionalLong length(BlobName name) throws IOException {
            return blobs.length(name);
        }

        @Override
        public boolean restore(BlobName name) throws IOException {
            restored.add(name);
            return blobs.restore(name);
        }

        @Override
        public byte[] read(BlobName name, long from, int length) throws IOException {
            return blobs.read(name, from, length);
        }

        @Override
        public List<BlobName> list() throws IOException {
            return blobs.list();
        }

        @Override
        public void remove(BlobName name) throws IOException {
            blobs.remove(name);
        }

        @Override
        public void close() {}
    }

    private Manifest stored() throws IOException {
        SealedSegment segment = new SegmentBuilder(keys, RANDOM).finish();
        open.put(segment.entry().name(), segment.object());
        return new Manifest(List.of(new Manifest.LiveSegment(segment.entry(), null)));
    }

    @Test
    void whatWasJustPutIsNotPutAgain() throws Exception {
        Manifest state = stored();
        open.keep(state);
        assertThat(put).hasSize(1);
        assertThat(restored).isEmpty();
    }

    @Test
    void whatWasPutLongAgoIsRestoredBeforeItIsNamed() throws Exception {
        Manifest state = stored();
        now = now.plus(Duration.ofDays(8)); // the machine slept
        open.keep(state);
        open.keep(state);
        assertThat(restored).containsExactlyElementsOf(state.objects());
        assertThat(put).hasSize(1);
    }

    @Test
    void whatIsGoneIsPutAgain() throws Exception {
        Manifest state = stored();
        BlobName name = state.objects().iterator().next();
        blobs.remove(name);
        open.keep(state);
        assertThat(put).containsExactly(name, name);
        assertThat(blobs.length(name)).isPresent();
    }

    @Test
    void whatNoStateNamesIsLeftAlone() throws Exception {
        Manifest state = stored();
        blobs.remove(state.objects().iterator().next());
        open.keep(Manifest.EMPTY);
        open.forgetFresh();
        open.keep(state);
        assertThat(put).hasSize(1);
        assertThat(restored).isEmpty();
    }
}
