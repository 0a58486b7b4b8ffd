package dev.veilgate.cli;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.query.SearchRequest;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What {@code veilgate trapdoor} writes. */
final class RequestFile {
    private RequestFile() {}

    static SearchRequest read(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return SearchRequest.decode(in.readNBytes(SearchRequest.MAX_BYTES + 1));
        } catch (MalformedEncodingException e) {
            throw EnvelopeSource.refused(file.toString(), e);
        }
    }
}
