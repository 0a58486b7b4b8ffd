package dev.veilgate.sse;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;

/** Both sides of an archive, in memory, and all that they say to each other. */
final class TestArchive {
    final SseScheme scheme;
    final Parameters parameters;
    final ArchiveKey key;
    final FaultyCells ownerCells = new FaultyCells();
    final FaultyCells serverCells = new FaultyCells();
    final Transcript transcript = new Transcript();
    private final SecureRandom random;
    SseOwner owner;
    SseServer server;

    TestArchive(SseScheme scheme, Parameters parameters, SecureRandom random) throws SseException {
        this(scheme, parameters, ArchiveKey.random(random), random);
    }

    TestArchive(SseScheme scheme, Parameters parameters, ArchiveKey key, SecureRandom random) throws SseException {
        this.scheme = scheme;
        this.parameters = parameters;
        this.key = key;
        this.random = random;
        this.owner = scheme.owner(key, ownerCells, parameters, random);
        this.server = scheme.server(serverCells, parameters);
    }

    /** As after a crash of both: nothing is left but what they saved. Goes on with what was begun. */
    void reopen() throws IOException {
        owner = scheme.owner(key, ownerCells, parameters, random);
        server = scheme.server(serverCells, parameters);
        for (Exchange<?> exchange : owner.unfinished()) {
            channel().run(exchange);
        }
    }

    Channel channel() {
        return transcript.through(Channel.to(server));
    }

    void add(Document... documents) throws IOException {
        channel().run(owner.add(List.of(documents)));
    }

    void delete(Document... documents) throws IOException {
        channel().run(owner.delete(List.of(documents)));
    }

    Hits search(SseExpression question) throws IOException {
        return channel().run(owner.search(question));
    }
}
