package dev.veilgate.console.query;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.User;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.smime.MailAuthor;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.IndexProfiles;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.extract.ReadQuery;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.query.Filter;
import dev.veilgate.reading.EventTime;
import dev.veilgate.reading.Reading;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * From what was typed to what is meant, by the tenant's own profile. The keys are asked for what that takes, and not
 * held while a query is read: however long somebody's takes, others search meanwhile.
 */
@Component
public class QueryReader {
    private static final Logger LOG = LoggerFactory.getLogger(QueryReader.class);

    private final Custody custody;
    private final Clock clock;
    private final ReadingTurns turns = new ReadingTurns();

    /** Facts of the keys that reading takes, none of them secret. */
    private record Known(String tenant, IndexProfiles profiles, EpochPolicy epochs) {
        static Known of(TenantKeys keys) throws MalformedEncodingException {
            return new Known(keys.tenant(), Reading.profiles(keys), keys.epochs());
        }
    }

    QueryReader(Custody custody, Clock clock) {
        this.custody = custody;
        this.clock = clock;
    }

    /**
     * Reads a query. Issues nothing.
     *
     * @param user  who wants to ask
     * @param ahead how many epochs behind the present one, for a route
     * @throws MalformedQueryException saying which term cannot be understood
     * @throws ProblemException        400 for a scope, time or sender that cannot be; 423 if the keys are locked; 429
     *                                 if many queries of the user wait to be read
     */
    public Intent read(User user, QueryText text, Intent.Purpose purpose, int ahead) throws Exception {
        Known known = custody.use(Known::of);
        return turns.take(user.id(), () -> read(text, purpose, ahead, known));
    }

    private Intent read(QueryText text, Intent.Purpose purpose, int ahead, Known known) throws Exception {
        if (text.query() == null || text.query().isBlank() || text.query().length() > KeywordQuery.MAX_CHARACTERS) {
            throw ProblemException.malformed("a query has 1 to " + KeywordQuery.MAX_CHARACTERS + " characters");
        }
        if (text.scope() == null) {
            throw ProblemException.malformed("scope is needed");
        }
        if (isBeforeAllEpochs(text.from()) || isBeforeAllEpochs(text.to())) {
            throw ProblemException.malformed("from and to must not be before 1970");
        }
        if (text.senders() != null && text.senders().stream().anyMatch(Objects::isNull)) {
            throw ProblemException.malformed("senders are names");
        }
        checkSigned(text, purpose);
        Filter filter;
        try {
            new KeywordDomain(known.tenant(), text.scope(), "epoch"); // checks the scope's name
            filter = new Filter(
                    Optional.ofNullable(text.from()),
                    Optional.ofNullable(text.to()),
                    text.senders() == null ? Set.of() : Set.copyOf(text.senders()));
        } catch (IllegalArgumentException e) {
            throw ProblemException.malformed(String.valueOf(e.getMessage()));
        }
        List<String> epochs = epochs(known.epochs(), filter, purpose, ahead);
        QueryReadings readings = QueryReadings.read(
                known.profiles(), epochs, profile -> read(text.query(), text.mail(), Set.of(), profile));
        return new Intent(text, readings, filter, epochs, purpose);
    }

    private static void checkSigned(QueryText text, Intent.Purpose purpose) {
        List<String> signed = text.signed();
        if (signed == null) {
            return;
        }
        if (!text.mail() || purpose == Intent.Purpose.ROUTE) {
            throw ProblemException.malformed(
                    "who signed is known of mails that are opened: neither of records, nor" + " by a route");
        }
        if (signed.stream()
                .anyMatch(label -> label == null || MailAuthor.Kind.of(label).isEmpty())) {
            throw ProblemException.malformed("signed is sender, another, tenant, stranger or nobody");
        }
    }

    private List<String> epochs(EpochPolicy policy, Filter filter, Intent.Purpose purpose, int ahead) {
        Instant now = clock.instant();
        try {
            return switch (purpose) {
                case SEARCH -> policy.searched(EventTime.widened(filter), now);
                case ROUTE -> policy.routed(filter, now, ahead);
            };
        } catch (IllegalArgumentException e) {
            throw ProblemException.malformed(String.valueOf(e.getMessage()));
        }
    }

    /**
     * How the text of a query is understood. Issues nothing.
     *
     * @param user who asks
     * @param seen names of fields that records are known to have, beside those of the profile
     * @throws MalformedQueryException as {@link #read}
     * @throws ProblemException        423 if the keys are locked; 429 if many queries of the user wait to be read
     */
    public ReadQuery understood(User user, String query, boolean mail, Set<String> seen) throws Exception {
        IndexProfiles profiles = custody.use(Known::of).profiles();
        return turns.take(
                user.id(),
                () -> QueryReadings.read(profiles.all(), profile -> read(query, mail, seen, profile))
                        .shown());
    }

    /** How a query is searched, with what may be a mistake; empty if it cannot be read, or not now. */
    public Optional<QueryTerms> shown(User user, QueryText text) {
        try {
            return text.query() == null
                    ? Optional.empty()
                    : Optional.of(QueryTerms.withWarnings(understood(user, text.query(), text.mail(), Set.of())));
        } catch (MalformedQueryException | ProblemException e) {
            return Optional.empty();
        } catch (Exception e) {
            LOG.error("a query cannot be read", e);
            return Optional.empty();
        }
    }

    private static ReadQuery read(String query, boolean mail, Set<String> seen, ExtractorProfile profile)
            throws MalformedQueryException {
        return mail ? MailQuery.read(query.strip(), profile) : KeywordQuery.read(query.strip(), profile, seen);
    }

    private static boolean isBeforeAllEpochs(@Nullable Instant time) {
        return time != null && time.isBefore(Instant.EPOCH);
    }
}
