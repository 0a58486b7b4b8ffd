package dev.veilgate.issuing;

import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.files.LockFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Deque;

/** The open files of a log, and what was found in them. */
record LogFiles(EntryFile entries, HeadFile heads, IndexFile index, LogRecovery found, Closeable all)
        implements Closeable {

    static LogFiles open(Path folder, SenderPublicKey authority) throws IOException {
        DurableFiles.createFolder(folder);
        LockFile lock = LockFile.tryLock(folder.resolve("lock"))
                .orElseThrow(() ->
                        new IssuingLogException(LogProblem.IN_USE, 0, "the issuing log in " + folder + " is in use"));
        Opened opened = new Opened(lock::close);
        boolean whole = false;
        try {
            EntryFile entries = opened.add(EntryFile.open(folder, LogFormat.header(authority)));
            requireOwn(folder, authority, entries);
            HeadFile heads = opened.add(HeadFile.open(folder, authority.fingerprint()));
            LogRecovery found =
                    new LogRecovery(folder, authority, entries, heads.last().map(SignedTreeHead::head));
            found.run();
            IndexFile index = opened.add(found.index());
            whole = true;
            return new LogFiles(entries, heads, index, found, opened);
        } finally {
            if (!whole) {
                opened.close();
            }
        }
    }

    private static void requireOwn(Path folder, SenderPublicKey authority, EntryFile entries) throws IOException {
        byte[] header = entries.read(0)
                .orElseThrow(() -> new IssuingLogException(
                        LogProblem.DAMAGED, 0, "the issuing log in " + folder + " has no header"));
        if (!MessageDigest.isEqual(header, LogFormat.header(authority))) {
            throw new IssuingLogException(
                    LogProblem.FOREIGN, 0, "the issuing log in " + folder + " is another authority's");
        }
    }

    @Override
    public void close() throws IOException {
        all.close();
    }

    /** Closes all of them, whatever one of them does; the lock last. */
    private static final class Opened implements Closeable {
        private final Deque<Closeable> files = new ArrayDeque<>();

        private Opened(Closeable lock) {
            files.push(lock);
        }

        private <T extends Closeable> T add(T file) {
            files.push(file);
            return file;
        }

        @Override
        public void close() throws IOException {
            IOException failure = null;
            while (!files.isEmpty()) {
                try {
                    files.pop().close();
                } catch (IOException e) {
                    failure = e;
                }
            }
            if (failure != null) {
                throw failure;
            }
        }
    }
}
