package dev.veilgate.service;

/** Numbers in the text format of Prometheus. For one thread. */
public final class MetricsText {
    private final String prefix;
    private final StringBuilder out = new StringBuilder();

    /** @param prefix of all names, such as {@code veilgate_agent_} */
    public MetricsText(String prefix) {
        this.prefix = prefix;
    }

    /** A number that only grows while the process runs; its name gets {@code _total}. */
    public MetricsText counter(String name, String help, long value) {
        return metric(name + "_total", "counter", help, value);
    }

    /** A number that goes up and down. */
    public MetricsText gauge(String name, String help, long value) {
        return metric(name, "gauge", help, value);
    }

    private MetricsText metric(String name, String type, String help, long value) {
        String full = prefix + name;
        out.append("# HELP ").append(full).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(full).append(' ').append(type).append('\n');
        out.append(full).append(' ').append(value).append('\n');
        return this;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
