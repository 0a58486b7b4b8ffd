package dev.veilgate.cli;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.ReaderKeyFile;
import dev.veilgate.authority.SearchReach;
import dev.veilgate.authority.SearcherKey;
import dev.veilgate.authority.SearcherKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.envelope.RegisteredSenders;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.reading.Reading;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A reader whose file has searcher's keys, and the tenant's bundle: searches without the authority. Closing it erases the keys, also those of its {@link #reading}. */
final class Searcher implements AutoCloseable {
    private final Terminal terminal;
    private final String file;
    private final ReaderKeyFile.Content content;
    private final PublicBundle bundle;

    private Searcher(Terminal terminal, String file, ReaderKeyFile.Content content, PublicBundle bundle) {
        this.terminal = terminal;
        this.file = file;
        this.content = content;
        this.bundle = bundle;
    }

    /**
     * Whether a reader's file and the bundle are enough to search. Where there is a key folder, too, a file without searcher's keys is what it was: the authority looks at what the reader sees.
     *
     * @throws CommandFailure if there is neither a searcher's key nor a key folder
     */
    static boolean isEnough(Terminal terminal, ReaderKeyOptions reader, BundleOptions bundle, Path keyFolder)
            throws IOException, CommandFailure {
        if (!reader.isGiven()) {
            return false;
        }
        boolean hasFolder = Files.exists(keyFolder.resolve(KeyFolder.KEY_FILE));
        if (hasFolder && !bundle.isNamed(terminal)) {
            return false;
        }
        boolean searches = reader.hasSearchersKeys(terminal);
        if (!searches && !hasFolder) {
            reader.read(terminal).close();
            throw none(reader);
        }
        return searches;
    }

    private static CommandFailure none(ReaderKeyOptions reader) {
        return new CommandFailure(
                ExitCode.KEY,
                reader.name()
                        + ": has no searcher's key; the authority issues one (veilgate keys issue --search), or trapdoors for one"
                        + " question (veilgate trapdoor), which search --request takes");
    }

    /**
     * Of the named file.
     *
     * @throws CommandFailure if it has no searcher's key, or another tenant's
     */
    static Searcher of(Terminal terminal, ReaderKeyOptions reader, BundleOptions options) throws Exception {
        String file = reader.name();
        ReaderKeyFile.Content content = reader.read(terminal);
        boolean isWhole = false;
        try {
            if (content.searchers().isEmpty()) {
                throw none(reader);
            }
            PublicBundle bundle = options.read(terminal, 0);
            if (content.searchers().stream().noneMatch(key -> key.tenant().equals(bundle.tenant()))) {
                throw new CommandFailure(ExitCode.KEY, file + ": is a key of another tenant than the bundle");
            }
            isWhole = true;
            return new Searcher(terminal, file, content, bundle);
        } finally {
            if (!isWhole) {
                content.close();
            }
        }
    }

    PublicBundle bundle() {
        return bundle;
    }

    /** How long the tenant's epochs are, as the authority wrote into the keys. */
    EpochPolicy epochs() {
        return content.searchers().stream()
                .filter(key -> key.tenant().equals(bundle.tenant()))
                .findFirst()
                .map(SearcherKey::epochs)
                .orElseThrow();
    }

    /**
     * To read what is found, as the reader.
     *
     * @param senders those of the tenant; empty if they are not known here
     */
    Reading reading(Optional<RegisteredSenders> senders) throws MalformedEncodingException {
        return Reading.ofReader(content.readers(), bundle, senders);
    }

    /**
     * Trapdoors, as far as the keys reach; what they do not reach is said on standard error.
     *
     * @throws CommandFailure if they reach nothing: nothing has been sent then
     */
    SearchRequest request(String scope, List<String> epochs, List<List<Keyword>> terms, Expression expression)
            throws CommandFailure {
        try {
            SearcherKeys keys = new SearcherKeys(content.searchers(), bundle);
            SearchReach reach = keys.reach(epochs, attributes());
            if (reach.isNothing()) {
                throw refusal(epochs, reach);
            }
            for (SearchReach.Gap gap : reach.gaps()) {
                terminal.err().println(Printable.of("warning: not searched: " + gap));
            }
            return keys.request(scope, epochs, terms, expression);
        } catch (MalformedEncodingException e) {
            throw new CommandFailure(ExitCode.REFUSED, "the bundle: " + e.getMessage(), e);
        }
    }

    private CommandFailure refusal(List<String> epochs, SearchReach reach) {
        String why = reach.gaps().isEmpty()
                ? "the tenant has no index that is searched by attributes"
                : "it may not search " + reach.gaps().getFirst();
        return new CommandFailure(
                ExitCode.REFUSED,
                Printable.of(file + ": cannot search " + String.join(", ", epochs) + ": " + why
                        + ". Nothing was sent; the authority issues keys (veilgate keys issue --search)"));
    }

    /** Those that its keys for reading name, without epochs too. */
    private Set<Attribute> attributes() {
        Set<Attribute> all = new HashSet<>();
        for (ReaderKey key : content.readers()) {
            if (key.label() instanceof Label.OfAttributes of && key.tenant().equals(bundle.tenant())) {
                for (Attribute each : of.attributes().attributes()) {
                    all.add(each);
                    all.add(new Attribute(each.name(), each.kind(), each.value(), ""));
                }
            }
        }
        return all;
    }

    @Override
    public void close() {
        content.close();
    }
}
