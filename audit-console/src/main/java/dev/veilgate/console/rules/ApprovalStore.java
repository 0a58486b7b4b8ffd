package dev.veilgate.console.rules;

import dev.veilgate.console.rules.Approval.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** The table of approvals. */
@Component
final class ApprovalStore {
    /** Most that are shown. */
    static final int MAX_LISTED = 500;

    private final JdbcClient jdbc;
    private final JsonMapper json;

    ApprovalStore(JdbcClient jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    void insert(Approval approval) {
        jdbc.sql(
                        "INSERT INTO approval (id, purpose, requester, requested, expires, state, rule, hours, intent, intent_id, log_number, reason)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .params(
                        approval.id(),
                        approval.asked().purpose(),
                        approval.requester(),
                        time(approval.requested()),
                        time(approval.expires()),
                        approval.state().label(),
                        approval.rule(),
                        approval.hours(),
                        json.writeValueAsString(approval.asked()),
                        approval.asked().id(),
                        approval.logNumber(),
                        approval.reason())
                .update();
    }

    Optional<Approval> find(UUID id) {
        return jdbc.sql("SELECT * FROM approval WHERE id = ?")
                .param(id)
                .query(this::read)
                .optional();
    }

    /** Newest first; of one who asked, or of all; in a state as {@link Approval#stateAt} has it, or in any. */
    List<Approval> list(@Nullable String requester, @Nullable State state, Instant now) {
        return jdbc.sql("SELECT * FROM approval WHERE (CAST(:requester AS VARCHAR) IS NULL OR requester = :requester)"
                        + " AND (CAST(:state AS VARCHAR) IS NULL OR :state ="
                        + " CASE WHEN state IN ('approved', 'pending') AND expires <= :now THEN 'expired' ELSE state END)"
                        + " ORDER BY requested DESC, id FETCH FIRST " + MAX_LISTED + " ROWS ONLY")
                .param("requester", requester)
                .param("state", state == null ? null : state.label())
                .param("now", time(now))
                .query(this::read)
                .list();
    }

    /** What somebody asked like this and that is pending or approved, and not over; what is approved first. */
    List<Approval> open(String requester, String intentId, Instant now) {
        return jdbc.sql(
                        "SELECT * FROM approval WHERE requester = ? AND intent_id = ? AND state IN ('approved', 'pending') AND expires > ?"
                                + " ORDER BY state, expires DESC")
                .params(requester, intentId, time(now))
                .query(this::read)
                .list();
    }

    int pending(String requester, Instant now) {
        return jdbc.sql("SELECT COUNT(*) FROM approval WHERE requester = ? AND state = 'pending' AND expires > ?")
                .params(requester, time(now))
                .query(Integer.class)
                .single();
    }

    /** Decides what is pending; whether it was. */
    boolean decide(UUID id, State to, Instant expires, String by, Instant now, String decision) {
        return jdbc.sql("UPDATE approval SET state = ?, expires = ?, decided_by = ?, decided = ?, decision = ?"
                                + " WHERE id = ? AND state = 'pending' AND expires > ?")
                        .params(to.label(), time(expires), by, time(now), decision, id, time(now))
                        .update()
                == 1;
    }

    /** What is over and not marked so. */
    List<Approval> over(Instant now) {
        return jdbc.sql(
                        "SELECT * FROM approval WHERE state IN ('approved', 'pending') AND expires <= ? ORDER BY expires"
                                + " FETCH FIRST 100 ROWS ONLY")
                .param(time(now))
                .query(this::read)
                .list();
    }

    /** Marks what is over; whether it was, and in the state that it was found in: somebody may have decided it meanwhile. */
    boolean expire(Approval approval, Instant now) {
        return jdbc.sql("UPDATE approval SET state = 'expired' WHERE id = ? AND state = ? AND expires <= ?")
                        .params(approval.id(), approval.state().label(), time(now))
                        .update()
                == 1;
    }

    private Approval read(ResultSet row, int n) throws SQLException {
        return new Approval(
                row.getObject("id", UUID.class),
                row.getString("requester"),
                row.getObject("requested", OffsetDateTime.class).toInstant(),
                row.getObject("expires", OffsetDateTime.class).toInstant(),
                State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                row.getString("rule"),
                row.getInt("hours"),
                json.readValue(row.getString("intent"), Asked.class),
                row.getLong("log_number"),
                row.getString("reason"),
                row.getString("decided_by"),
                Optional.ofNullable(row.getObject("decided", OffsetDateTime.class))
                        .map(OffsetDateTime::toInstant)
                        .orElse(null),
                row.getString("decision"));
    }

    static OffsetDateTime time(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }
}
