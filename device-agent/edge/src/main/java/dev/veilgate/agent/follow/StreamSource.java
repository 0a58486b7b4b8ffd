package dev.veilgate.agent.follow;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Lines of a stream: standard input. A stream cannot be read again, so lines that were read and not yet sealed are lost when the agent is
 * stopped or killed; what is in the pipe waits.
 */
public final class StreamSource implements Source {
    private static final String NAME = "stdin";
    private static final int QUEUE_RECORDS = 1024;
    private static final int QUEUE_BYTES = 4 << 20;

    private final Lane lane;
    private final InputStream in;
    private final int maxRecordBytes;
    private final BlockingQueue<ReadRecord> queue = new ArrayBlockingQueue<>(QUEUE_RECORDS);
    private final Semaphore room = new Semaphore(QUEUE_BYTES);
    private final Thread reader;
    private volatile boolean atEnd;
    private boolean started;
    private String line = "";
    private int part;

    /** Reads a stream, from the first {@link #poll} on. */
    public StreamSource(Lane lane, InputStream in, int maxRecordBytes) {
        this.lane = lane;
        this.in = in;
        this.maxRecordBytes = Math.min(maxRecordBytes, QUEUE_BYTES);
        this.reader = Thread.ofPlatform().daemon().name("stdin").unstarted(this::read);
    }

    private void read() {
        byte[] buffer = new byte[maxRecordBytes + 1];
        int length = 0;
        try {
            for (int n = in.read(buffer, 0, buffer.length);
                    n >= 0;
                    n = in.read(buffer, length, buffer.length - length)) {
                length = cut(buffer, length, length + n);
            }
            if (length > 0 || !line.isEmpty()) {
                put(Arrays.copyOf(buffer, length), false); // a part without an end: there was no line feed
            }
        } catch (IOException | InterruptedException e) {
            // closed under the reader
        } finally {
            atEnd = true;
        }
    }

    private int cut(byte[] buffer, int searched, int length) throws InterruptedException {
        int from = 0;
        for (int i = searched; i < length; i++) {
            if (buffer[i] == '\n') {
                put(Arrays.copyOfRange(buffer, from, i), true);
                from = i + 1;
            }
        }
        if (length - from > maxRecordBytes) {
            put(Arrays.copyOfRange(buffer, from, from + maxRecordBytes), false);
            from += maxRecordBytes;
        }
        System.arraycopy(buffer, from, buffer, 0, length - from);
        return length - from;
    }

    private void put(byte[] bytes, boolean last) throws InterruptedException {
        if (!last && line.isEmpty()) {
            line = Integer.toUnsignedString(ThreadLocalRandom.current().nextInt());
            part = 1;
        }
        String name = line.isEmpty() ? "" : line + "." + part++ + (last ? ".end" : "");
        line = last ? "" : line;
        room.acquire(bytes.length);
        queue.put(new ReadRecord(lane, NAME, bytes, name, Origin.NONE));
    }

    @Override
    public boolean poll(RecordSink sink) throws IOException, InterruptedException {
        if (!started) {
            reader.start();
            started = true;
        }
        boolean some = false;
        for (int i = 0; i < QUEUE_RECORDS; i++) {
            ReadRecord record = queue.poll();
            if (record == null) {
                break;
            }
            room.release(record.bytes().length);
            sink.accept(record);
            some = true;
        }
        return some;
    }

    @Override
    public void finish(RecordSink sink) throws IOException, InterruptedException {
        while (!ended()) {
            if (!poll(sink)) {
                Thread.sleep(5);
            }
        }
    }

    @Override
    public boolean ended() {
        return started && atEnd && queue.isEmpty();
    }

    @Override
    public String describe() {
        return ended() ? "ended" : "open";
    }

    @Override
    public void close() {
        reader.interrupt();
    }
}
