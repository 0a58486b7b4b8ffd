package dev.veilgate.cli;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.IssuedEntries;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.IndexProfiles;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.extract.ReadQuery;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.query.Filter;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.reading.EventTime;
import dev.veilgate.reading.Reading;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a search looks, and who may run it. */
final class QueryOptions {
    /** Of the parameter. */
    static final String DESCRIPTION =
            "Terms with spaces between them, all of which must hold: overheat, level:error, 10.0.0.1, temperature:70..90; or with AND, OR, NOT and"
                    + " parentheses. What other languages write (-root, a or b, user=root, 10.0.0.*) is refused with what to write; in quotes it"
                    + " is text. With @FILE it is read from a file, with @- from standard input: arguments are seen by other users and kept by"
                    + " the shell.";

    private static final int MAX_QUERY_BYTES = 4 * KeywordQuery.MAX_CHARACTERS;

    @Option(names = "--scope", paramLabel = "SCOPE", description = "Where to search; VEILGATE_SCOPE.")
    private @Nullable String scope;

    @Option(
            names = "--epoch",
            paramLabel = "EPOCHS",
            description =
                    "Epochs to search: one, a list 2026-09,2026-11, a range 2026-09..2026-11; those in which what lies between --from and --to"
                            + " can have been sealed; else the present one.")
    private @Nullable String epochs;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description =
                    "Only records and mails of that time or later: 2026-11-21, 2026-11-21T12:23, with seconds, with Z or an offset (UTC without), or"
                            + " 90m, 12h, 7d ago. The time is the record's own, or when it was read if it names none that can be: none later, or more than 30 days"
                            + " earlier, than it was read.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Only records and mails before that time.")
    private @Nullable String to;

    @Option(
            names = "--sender",
            paramLabel = "SENDER",
            description = "Only envelopes that name this sender; may be given several times.")
    private List<String> senders = new ArrayList<>();

    @Option(
            names = "--mail",
            description = "Read the query as one of mails: from:, to:, cc:, subject:, date: and other fields of mails.")
    private boolean mail;

    @Option(
            names = "--grant-to",
            paramLabel = "NAME",
            description = "Sign a grant for somebody to search with these trapdoors.")
    private @Nullable String grantTo;

    @Option(
            names = "--grant-days",
            paramLabel = "DAYS",
            description = "For how long the grant holds (${DEFAULT-VALUE}).",
            defaultValue = "30")
    private int grantDays;

    /** The parsed query. */
    QueryReadings parse(Terminal terminal, KeyFolder folder, String query, Purpose purpose) throws Exception {
        scope(terminal);
        return parse(terminal, Reading.profiles(folder.keys()), folder.keys().epochs(), query, purpose);
    }

    /** As a searcher reads it. */
    QueryReadings parse(Terminal terminal, Searcher searcher, String query, Purpose purpose) throws Exception {
        scope(terminal);
        return parse(terminal, IndexProfiles.of(searcher.bundle()), searcher.epochs(), query, purpose);
    }

    private QueryReadings parse(
            Terminal terminal, IndexProfiles profiles, EpochPolicy policy, String query, Purpose purpose)
            throws Exception {
        Instant now = terminal.clock().instant();
        List<String> names = epochs(policy, filter(now, purpose), now, purpose);
        return parse(terminal, query, reader -> QueryReadings.read(profiles, names, reader));
    }

    /** Reads the text of a query. */
    @FunctionalInterface
    private interface Readings {
        QueryReadings by(QueryReadings.Reader reader) throws MalformedQueryException;
    }

    /** @param profiles by which what is searched may have been indexed, the latest rules first */
    QueryReadings parse(Terminal terminal, List<ExtractorProfile> profiles, String query) throws Exception {
        return parse(terminal, query, reader -> QueryReadings.read(profiles, reader));
    }

    private QueryReadings parse(Terminal terminal, String query, Readings read) throws Exception {
        String text = query;
        if (query.startsWith("@")) {
            byte[] bytes = KeysChange.read(terminal, query.substring(1));
            if (bytes.length > MAX_QUERY_BYTES) {
                throw new CommandFailure(ExitCode.USAGE, "the query is too long");
            }
            text = new String(bytes, StandardCharsets.UTF_8).strip();
        }
        boolean isSecret = query.startsWith("@");
        String typed = text;
        try {
            QueryReadings readings =
                    read.by(profile -> mail ? MailQuery.read(typed, profile) : KeywordQuery.read(typed, profile));
            for (ReadQuery.Warning warning : readings.shown().warnings()) {
                terminal.err().println("warning: " + warning.message() + hint(warning.instead(), isSecret));
            }
            return readings;
        } catch (MalformedQueryException e) {
            throw new CommandFailure(ExitCode.USAGE, e.getMessage() + hint(e.suggestions(), isSecret), e);
        }
    }

    /**
     * What may have been meant. The words of a query that came by a file are not for standard error, which others may
     * keep.
     */
    private static String hint(List<String> suggestions, boolean isSecret) {
        return suggestions.isEmpty() || isSecret ? "" : "; write: " + String.join("   or: ", suggestions);
    }

    /** @throws CommandFailure if something was asked for that only who issues trapdoors can give */
    void checkIssued() throws CommandFailure {
        if (scope != null || epochs != null || from != null || to != null || !senders.isEmpty() || grantTo != null) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--request: scope, epochs, times, senders and grant are those of the request; veilgate trapdoor made it");
        }
    }

    /** What trapdoors are for. */
    enum Purpose {
        /** To look now: an epoch that has not begun has nothing. */
        SEARCH,
        /** To look at some time: epochs that are named may be later ones. */
        REQUEST,
        /** To be tested on what comes. */
        ROUTE
    }

    /** How many epochs after the present one a route is for, where none are named. */
    private static final int EPOCHS_AHEAD = 1;

    /** Its request: trapdoors issued and stored, the filter, and the grant if one was asked for. */
    SearchRequest issue(Terminal terminal, KeyFolder folder, KeywordQuery parsed, Purpose purpose) throws Exception {
        if (grantTo != null && grantDays < 1) {
            throw new CommandFailure(ExitCode.USAGE, "--grant-days: must be 1 or more");
        }
        TenantKeys keys = folder.keys();
        Instant now = terminal.clock().instant();
        Filter filter = filter(now, purpose);
        List<String> names = epochs(keys.epochs(), filter, now, purpose);
        try (FileTrapdoorStore store = KeyFolderOptions.trapdoors(folder)) {
            SearchRequest request = keys.request(scope(terminal), names, parsed.terms(), parsed.expression(), store)
                    .with(filter);
            List<LogDraft> entries = new ArrayList<>(IssuedEntries.trapdoors(
                    CommandLog.actor(),
                    0,
                    parsed.terms(),
                    request,
                    (draft, name, value) -> CommandLog.sealed(folder, draft, name, value)));
            String holder = grantTo;
            if (holder == null) {
                CommandLog.append(terminal, folder, entries);
                return request;
            }
            Instant expires = now.truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofDays(grantDays));
            entries.add(IssuedEntries.grant(CommandLog.actor(), 0, holder, request, expires));
            return keys.granted(request, holder, expires, CommandLog.append(terminal, folder, entries));
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** Its request as a searcher makes it: trapdoors and the filter. Only the authority signs grants. */
    SearchRequest issue(Terminal terminal, Searcher searcher, KeywordQuery parsed, Purpose purpose) throws Exception {
        if (grantTo != null) {
            throw new CommandFailure(ExitCode.USAGE, "--grant-to: only the authority signs grants, not a searcher");
        }
        Instant now = terminal.clock().instant();
        Filter filter = filter(now, purpose);
        List<String> names = epochs(searcher.epochs(), filter, now, purpose);
        try {
            return searcher.request(scope(terminal), names, parsed.terms(), parsed.expression())
                    .with(filter);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private String scope(Terminal terminal) throws CommandFailure {
        return terminal.given(scope, "--scope", "VEILGATE_SCOPE");
    }

    private List<String> epochs(EpochPolicy policy, Filter filter, Instant now, Purpose purpose) throws CommandFailure {
        String named = epochs;
        try {
            if (named == null) {
                return purpose == Purpose.ROUTE
                        ? policy.routed(filter, now, EPOCHS_AHEAD)
                        : policy.searched(filter, now);
            }
            List<String> names = policy.parse(named);
            Optional<String> later = names.stream()
                    .filter(name -> policy.named(name).from().isAfter(now))
                    .findFirst();
            if (purpose == Purpose.SEARCH && later.isPresent()) {
                throw new IllegalArgumentException(
                        later.get()
                                + " has not begun, and has nothing to be found; veilgate trapdoor makes requests for later epochs");
            }
            return names;
        } catch (IllegalArgumentException e) {
            String option = named == null ? "--from" : "--epoch";
            throw new CommandFailure(ExitCode.USAGE, option + ": " + e.getMessage(), e);
        }
    }

    /**
     * The filter that goes to the gateway: for a search it reaches beyond the time that was asked for, as far as a
     * record of that time can have been sealed.
     */
    private Filter filter(Instant now, Purpose purpose) throws CommandFailure {
        try {
            Filter range = new Filter(moment("--from", from, now), moment("--to", to, now), Set.copyOf(senders));
            return purpose == Purpose.ROUTE ? range : EventTime.widened(range);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** The time that an option names, if it was given. */
    static Optional<Instant> moment(String option, @Nullable String text, Instant now) throws CommandFailure {
        if (text == null) {
            return Optional.empty();
        }
        return Optional.of(Moment.parse(text, now)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE,
                        option
                                + ": a time is written like 2026-11-21, 2026-11-21T12:23, 2026-11-21T12:23:05Z, or 12h for"
                                + " twelve hours ago")));
    }
}
