package dev.veilgate.gateway.broker;

import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Which topics are whose. What is published for a tenant goes to topics under {@code veilgate/tenants/TENANT/}, which only devices of that tenant may subscribe to. One tenant may have plain
 * topics instead, without a tenant in them: the one that the settings name, or the only one that is served.
 */
public final class TenantTopics {
    private static final String VEILGATE = "veilgate/";
    /** Topics that have a tenant. */
    static final String PREFIX = VEILGATE + "tenants/";

    private static final String SHARED = "$share/";

    private final String plain;
    private final Supplier<? extends Collection<String>> served;

    /**
     * Makes it.
     *
     * @param plain  the tenant that has plain topics; empty: the only one, if only one is served
     * @param served names of the tenants that are served now
     */
    public TenantTopics(String plain, Supplier<? extends Collection<String>> served) {
        this.plain = plain;
        this.served = served;
    }

    /**
     * What the log says at the start: for whoever served one tenant and now serves several, that their topics are others than before; and that the tenant of the setting is not served, which
     * leaves nobody plain topics. Empty where all is as asked for.
     */
    Optional<String> describe() {
        Collection<String> now = served.get();
        if (!plain.isEmpty() && !now.contains(plain)) {
            return Optional.of("MQTT: veilgate.mqtt.plain-topics-of names " + plain + ", which is not served; served: "
                    + String.join(", ", now) + ". Dead letters and notices of all of them go to topics under " + PREFIX
                    + "TENANT/");
        }
        return plain.isEmpty() && now.size() > 1
                ? Optional.of("MQTT: several tenants are served; dead letters and notices of each go to topics under "
                        + PREFIX + "TENANT/ unless veilgate.mqtt.plain-topics-of names it")
                : Optional.empty();
    }

    /**
     * Where something goes that is published for a tenant.
     *
     * @param topic as a route or a setting names it
     */
    public String topic(String tenant, String topic) {
        if (topic.startsWith(space(tenant)) || hasPlainTopics(tenant) && !topic.startsWith(PREFIX)) {
            return topic;
        }
        return space(tenant) + (topic.startsWith(VEILGATE) ? topic.substring(VEILGATE.length()) : topic);
    }

    /** Whether what is published to a topic is for a tenant. */
    boolean mayRead(String tenant, String topic) {
        return topic.startsWith(PREFIX) ? topic.startsWith(space(tenant)) : hasPlainTopics(tenant);
    }

    /** Whether all topics that a filter matches may be for a tenant, and none is for another. */
    boolean maySubscribe(String tenant, String filter) {
        String topics = withoutGroup(filter);
        if (topics.startsWith(space(tenant))) {
            return true;
        }
        return hasPlainTopics(tenant) && (isOnly(tenant) || !reaches(topics.split("/", -1), PREFIX.split("/")));
    }

    /** Whether a filter matches topics that begin with these levels. */
    private static boolean reaches(String[] filter, String[] levels) {
        for (int i = 0; i < levels.length; i++) {
            if (i == filter.length) {
                return false;
            }
            if (filter[i].equals("#")) {
                return true;
            }
            if (!filter[i].equals("+") && !filter[i].equals(levels[i])) {
                return false;
            }
        }
        return filter.length > levels.length;
    }

    private static String withoutGroup(String filter) {
        int end = filter.startsWith(SHARED) ? filter.indexOf('/', SHARED.length()) : -1;
        return end < 0 ? filter : filter.substring(end + 1);
    }

    private boolean hasPlainTopics(String tenant) {
        return plain.isEmpty() ? isOnly(tenant) : plain.equals(tenant);
    }

    private boolean isOnly(String tenant) {
        Collection<String> now = served.get();
        return now.size() == 1 && now.contains(tenant);
    }

    private static String space(String tenant) {
        return PREFIX + EnvelopeTopic.escape(tenant) + "/";
    }
}
