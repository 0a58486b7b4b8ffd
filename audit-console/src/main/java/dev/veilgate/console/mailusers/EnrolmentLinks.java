package dev.veilgate.console.mailusers;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** The table of links by which new users of mail get their files. Safe for use by several threads. */
@Component
final class EnrolmentLinks {
    /** Most that may be open at once. */
    static final int MAX_OPEN = 1000;

    /** Time for which the list has links that are over. */
    private static final Duration REMEMBERED = Duration.ofDays(90);

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;

    EnrolmentLinks(JdbcClient jdbc, TransactionTemplate transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    /** Keeps a new link; those of its address that nobody used are cancelled. One caller at a time. */
    void add(EnrolmentLink link, String lookup) {
        transactions.executeWithoutResult(status -> {
            cancel(link.address(), link.created());
            jdbc.sql("INSERT INTO mail_enrolment (id, address, scope, certificate, replaces, created, created_by,"
                            + " expires, lookup, files) VALUES (:id, :address, :scope, :certificate, :replaces,"
                            + " :created, :created_by, :expires, :lookup, :files)")
                    .param("id", link.id())
                    .param("address", link.address())
                    .param("scope", link.scope())
                    .param("certificate", link.certificate())
                    .param("replaces", link.replaces())
                    .param("created", time(link.created()))
                    .param("created_by", link.createdBy())
                    .param("expires", time(link.expires()))
                    .param("lookup", lookup)
                    .param("files", link.files())
                    .update();
        });
    }

    /** Number of links that somebody could still use first. */
    int open(Instant now) {
        return jdbc.sql("SELECT COUNT(*) FROM mail_enrolment WHERE used IS NULL AND cancelled IS NULL AND expires > ?")
                .param(time(now))
                .query(Integer.class)
                .single();
    }

    /** The link of a {@link LinkSecret#lookup}. */
    Optional<EnrolmentLink> find(String lookup) {
        return jdbc.sql("SELECT * FROM mail_enrolment WHERE lookup = ?")
                .param(lookup)
                .query(EnrolmentLinks::read)
                .optional();
    }

    /** The last link of each address, without its files and what it replaces. */
    List<EnrolmentLink> lastOfEach() {
        return jdbc.sql("SELECT * FROM (SELECT id, address, scope, certificate, CAST(NULL AS BYTEA) AS replaces,"
                        + " created, created_by, expires, CAST(NULL AS BYTEA) AS files, browser, used, received,"
                        + " cancelled,"
                        + " ROW_NUMBER() OVER (PARTITION BY address ORDER BY created DESC, id DESC) AS place"
                        + " FROM mail_enrolment) m WHERE place = 1 ORDER BY address")
                .query(EnrolmentLinks::read)
                .list();
    }

    /** Tells if somebody could still use a link of an address first. */
    boolean isOpen(String address, Instant now) {
        return jdbc.sql("SELECT COUNT(*) FROM mail_enrolment WHERE address = ? AND used IS NULL AND cancelled IS NULL"
                                + " AND expires > ?")
                        .params(address, time(now))
                        .query(Integer.class)
                        .single()
                > 0;
    }

    /** The time of a new link: after those of its address, also if the clock went back. */
    Instant nextCreated(String address, Instant now) {
        Instant last = jdbc.sql("SELECT MAX(created) AS newest FROM mail_enrolment WHERE address = ?")
                .param(address)
                .query((row, _) -> Optional.ofNullable(instant(row, "newest")))
                .single()
                .orElse(Instant.MIN);
        return now.isAfter(last) ? now : last.plusMillis(1);
    }

    /** Binds an open link to the browser that uses it first; tells if it is that browser's now. */
    boolean use(UUID id, String browser, Instant now) {
        int bound = jdbc.sql("UPDATE mail_enrolment SET browser = ?, used = ? WHERE id = ? AND used IS NULL"
                        + " AND cancelled IS NULL AND files IS NOT NULL AND expires > ?")
                .params(browser, time(now), id, time(now))
                .update();
        return bound == 1
                || jdbc.sql("SELECT COUNT(*) FROM mail_enrolment WHERE id = ? AND browser = ?"
                                        + " AND cancelled IS NULL AND files IS NOT NULL AND expires > ?")
                                .params(id, browser, time(now))
                                .query(Integer.class)
                                .single()
                        == 1;
    }

    /** Has the link ask for its own certificate from now on: once that was in bundles, nothing puts it back. */
    void settle(UUID id) {
        jdbc.sql("UPDATE mail_enrolment SET replaces = certificate WHERE id = ?")
                .param(id)
                .update();
    }

    /** Forgets files that their browser has whole; tells if it was the browser that the link is bound to. */
    boolean receive(UUID id, String browser, Instant now) {
        return jdbc.sql("UPDATE mail_enrolment SET files = NULL, received = COALESCE(received, ?)"
                                + " WHERE id = ? AND browser = ?")
                        .params(time(now), id, browser)
                        .update()
                == 1;
    }

    /** Ends what is open of an address, and forgets its files; tells if there was a link that nobody had used. */
    boolean cancel(String address, Instant now) {
        int open = jdbc.sql("UPDATE mail_enrolment SET files = NULL, cancelled = ? WHERE address = ?"
                        + " AND used IS NULL AND cancelled IS NULL AND expires > ?")
                .params(time(now), address, time(now))
                .update();
        jdbc.sql("UPDATE mail_enrolment SET files = NULL, cancelled = ? WHERE address = ? AND files IS NOT NULL")
                .params(time(now), address)
                .update();
        return open > 0;
    }

    /** Forgets the files of links whose day is over, and links of long ago. */
    void forgetLapsed(Instant now) {
        jdbc.sql("UPDATE mail_enrolment SET files = NULL WHERE files IS NOT NULL AND expires <= ?")
                .param(time(now))
                .update();
        jdbc.sql("DELETE FROM mail_enrolment WHERE expires <= ?")
                .param(time(now.minus(REMEMBERED)))
                .update();
    }

    private static EnrolmentLink read(ResultSet row, int n) throws SQLException {
        return new EnrolmentLink(
                row.getObject("id", UUID.class),
                row.getString("address"),
                row.getString("scope"),
                row.getBytes("certificate"),
                row.getBytes("replaces"),
                row.getObject("created", OffsetDateTime.class).toInstant(),
                row.getString("created_by"),
                row.getObject("expires", OffsetDateTime.class).toInstant(),
                row.getBytes("files"),
                row.getString("browser"),
                instant(row, "used"),
                instant(row, "received"),
                instant(row, "cancelled"));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static OffsetDateTime time(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }
}
