package dev.veilgate.archive.store;

import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.Channel;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseSchemes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** Adds and searches in files by every scheme until it is killed, and says what was acknowledged. */
final class KilledProcess {
    static final Keyword ALL = Keyword.text("text", "all");
    private static final int WORDS = 5;

    private KilledProcess() {}

    /** Both sides of an archive of one scheme, in files. */
    static final class Sides implements AutoCloseable {
        private final MvStoreCells ownerCells;
        private final MvStoreCells serverCells;
        private final SseOwner owner;
        private final Channel channel;

        Sides(SseScheme scheme, Path folder) throws Exception {
            ownerCells = cells(folder.resolve(scheme.id() + "-owner.mv"));
            serverCells = cells(folder.resolve(scheme.id() + "-server.mv"));
            Parameters parameters = Parameters.standard(scheme);
            owner = scheme.owner(
                    ArchiveKey.decode(new byte[ArchiveKey.BYTES]), ownerCells, parameters, new SecureRandom());
            channel = Channel.to(scheme.server(serverCells, parameters));
            for (Exchange<?> exchange : owner.unfinished()) {
                channel.run(exchange);
            }
        }

        private static MvStoreCells cells(Path file) throws IOException {
            return Files.exists(file) ? MvStoreCells.open(file) : MvStoreCells.create(file);
        }

        void add(long id) throws IOException {
            channel.run(owner.add(List.of(Document.of(new DocumentId(id), List.of(ALL, word(id))))));
        }

        Hits search(Keyword word) throws IOException {
            return channel.run(owner.search(new SseExpression.Word(word)));
        }

        @Override
        public void close() {
            owner.close();
            ownerCells.close();
            serverCells.close();
        }
    }

    static Keyword word(long id) {
        return Keyword.text("text", "word" + id % WORDS);
    }

    /** Takes a folder and the first id; the parent reads what is printed. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        List<SseScheme> schemes = SseSchemes.all();
        List<Sides> all = new ArrayList<>();
        for (SseScheme scheme : schemes) {
            all.add(new Sides(scheme, folder));
        }
        System.out.println("ready");
        for (long id = Long.parseLong(arguments[1]); ; id++) {
            for (int i = 0; i < schemes.size(); i++) {
                String name = schemes.get(i).id();
                System.out.println("adding " + name + " " + id + " .");
                all.get(i).add(id);
                System.out.println("added " + name + " " + id + " .");
                if (id % 3 == 0) {
                    all.get(i).search(word(id / 3));
                }
            }
        }
    }
}
