package dev.veilgate.gateway.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.gateway.broker.DeviceQuota.Limit;
import dev.veilgate.gateway.broker.DeviceQuota.Session;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How many connections and sessions a device has, as logins come and end in any order; by a clock that the test turns. */
final class DeviceQuotaTest {
    private static final int MOST_CONNECTIONS = 4;
    private static final int MOST_SESSIONS = 6;

    private final Map<String, Session> broker = new HashMap<>();
    private int asked;
    private long now;
    private final DeviceQuota quota = new DeviceQuota(
            new MqttSettings.Limits(MOST_CONNECTIONS, MOST_SESSIONS, 1000, 250), () -> false, this::ask, () -> now);

    private Session ask(String client) {
        asked++;
        return broker.getOrDefault(client, Session.GONE);
    }

    private void connect(String client, String login) {
        assertThat(quota.enter(client, login)).isEmpty();
        broker.put(client, Session.CONNECTED);
    }

    private void fill() {
        for (int i = 0; i < MOST_CONNECTIONS; i++) {
            connect("press/" + i, "login-" + i);
        }
    }

    @Test
    void aLoginThatEndsBeforeItHasTakenOverLeavesTheOtherCounted() {
        fill();
        assertThat(quota.enter("press/0", "takeover")).isEmpty();
        quota.leave("press/0", "takeover");
        assertThat(quota.enter("press/more", "one-more")).contains(Limit.CONNECTIONS);

        broker.remove("press/0");
        quota.leave("press/0", "login-0");
        connect("press/more", "one-more");
    }

    @Test
    void aLoginThatTookOverCountsUntilItEnds() {
        fill();
        assertThat(quota.enter("press/0", "takeover")).isEmpty();
        quota.leave("press/0", "login-0");
        assertThat(quota.enter("press/more", "one-more")).contains(Limit.CONNECTIONS);
        broker.put("press/0", Session.AWAY);
        quota.leave("press/0", "takeover");
        connect("press/more", "one-more");
    }

    /** As a loop of mosquitto_pub does: the broker still has the session when the connection ends, and then not any more. */
    @Test
    void sessionsThatEndWithTheirConnectionsMakeRoomAtOnce() {
        connect("press/subscriber", "stays");
        for (int i = 0; i < 100 * MOST_SESSIONS; i++) {
            String client = "press/" + i;
            connect(client, "login-" + i);
            quota.leave(client, "login-" + i);
            broker.remove(client);
            now += TimeUnit.MILLISECONDS.toNanos(10);
        }
    }

    @Test
    void theBrokerIsNotAskedMoreOftenWhereNothingEnds() {
        for (int i = 0; i < MOST_SESSIONS; i++) {
            quota.restore("press/" + i);
            broker.put("press/" + i, Session.AWAY);
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(quota.enter("press/more-" + i, "login-" + i)).contains(Limit.SESSIONS);
        }
        assertThat(asked).isEqualTo(MOST_SESSIONS);
        now += TimeUnit.MILLISECONDS.toNanos(201);
        broker.clear();
        connect("press/more", "login");
    }
}
