package dev.veilgate.extract;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Names under which other products know what is a field here: those of ECS, OpenTelemetry, syslog and the journal, GELF,
 * and the loggers of common languages and frameworks. A record is indexed under both. A query for such a name finds
 * records that have just this field; where values are not indexed under it, the common field is asked for.
 */
public final class FieldNames {
    private static final Map<String, String> COMMON = new HashMap<>();
    private static final Map<String, Set<String>> OTHERS = new HashMap<>();
    private static final Set<String> WHOLE_TEXTS = Set.of(
            "message",
            "msg",
            "log",
            "text",
            "body",
            "_all",
            "@message",
            "_raw",
            "raw",
            "content",
            "line",
            "event.original",
            "short_message",
            "full_message",
            "short-message",
            "full-message",
            "log.original",
            "event.message",
            "log.message",
            "_msg",
            "textpayload",
            "jsonpayload.message");

    private static final Set<String> TIMES = Set.of("time", "timestamp", "ts", "@timestamp");

    static {
        add(
                "level",
                "severity severity_text severitytext severity_label severity-text syslogseverity-text lvl loglevel log_level log-level"
                        + " log.level level_name levelname level-name level_text detected_level syslog.severity.name"
                        + " log.syslog.severity.name priority syslog_severity severity_code syslog.severity.code log.syslog.severity.code logging.level winlog.level event.severity_name priority_name @l @level leveldisplayname level_display_name eventlevelname"
                        + " labels.level fields.level attributes.level record.level level.name log.severity syslog.severity_label levelstr level_str");
        add(
                "host",
                "hostname host.name host.hostname host_name host-name fromhost computer computername computer_name"
                        + " machine machinename machine_name node.name nodename node_name server_name server.name"
                        + " observer.hostname agent.hostname beat.hostname resource.host.name log.syslog.hostname"
                        + " _hostname winlog.computer_name");
        add(
                "app",
                "service service.name service_name servicename service-name process.name process_name processname"
                        + " program programname program_name appname app_name app-name app.name application"
                        + " application.name application_name syslog_identifier syslog.appname log.syslog.appname"
                        + " syslogtag syslog_program ident identifier process resource.service.name sourcetype");
        add(
                "pid",
                "process.pid process_id processid process-id proc_id procid syslog_pid _pid log.syslog.procid"
                        + " process.id");
        add(
                "ip",
                "src_ip srcip src-ip src source.ip source_ip source-ip source.address client client.ip client_ip"
                        + " clientip client-ip client.address remote_addr remote_ip remoteip remote.ip remote_address"
                        + " dst_ip dstip dst dest dest_ip destination.ip destination_ip destination.address server.ip"
                        + " server_ip server.address host.ip ip_address ipaddress ip-address ipaddr addr"
                        + " net.peer.ip network.peer.address peer.ip http.client_ip x_forwarded_for x-forwarded-for"
                        + " related.ip rhost c-ip s-ip");
        add("time", "timestamp @timestamp ts datetime date _time @t event.created event.ingested eventtime event_time");
        add("path", "file.path file_path filepath url.path");
        add("source", "log.file.path log_file logfile log.source filename");
        add("user", "user.name user_name username usr src_user related.user user.id");
        add("unit", "_systemd_unit systemd.unit systemd_unit journald.unit");
    }

    private FieldNames() {}

    private static void add(String common, String others) {
        for (String name : others.split(" ")) {
            COMMON.put(name, common);
        }
        OTHERS.put(common, Set.of(others.split(" ")));
    }

    /**
     * The field that another product's name stands for; empty if it is none of those that are known.
     *
     * @param folded as {@link KeywordText#field} gives it
     */
    public static Optional<String> common(String folded) {
        return Optional.ofNullable(COMMON.get(folded));
    }

    /**
     * Other names of fields whose values a field may find: of another product's name ours, of ours all names that stand
     * for it.
     *
     * @param folded as {@link KeywordText#field} gives it
     */
    public static Set<String> alike(String folded) {
        String common = COMMON.get(folded);
        return common != null ? Set.of(common) : OTHERS.getOrDefault(folded, Set.of());
    }

    /**
     * Tells if this is a name of a record's own time, which is indexed by its parts alone.
     *
     * @param folded as {@link KeywordText#field} gives it
     */
    public static boolean isTime(String folded) {
        return TIMES.contains(folded);
    }

    /** A field's name without what Kibana puts behind it, where a field is to be compared as a whole: {@code host.name.keyword}. */
    static String withoutKind(String folded) {
        return folded.endsWith(".keyword") ? folded.substring(0, folded.length() - ".keyword".length()) : folded;
    }

    /**
     * Whether elsewhere words of a record are searched by a field of this name.
     *
     * @param folded as {@link KeywordText#field} gives it
     */
    public static boolean isWholeText(String folded) {
        return WHOLE_TEXTS.contains(folded);
    }

    /** Names of other products by the name of ours that they stand for, in the order of the alphabet. */
    static Map<String, Set<String>> byOurs() {
        Map<String, Set<String>> names = new TreeMap<>();
        OTHERS.forEach((ours, others) -> names.put(ours, new TreeSet<>(others)));
        return names;
    }

    /** All names that are known. */
    static Set<String> all() {
        Set<String> all = new HashSet<>(COMMON.keySet());
        all.addAll(WHOLE_TEXTS);
        return all;
    }
}
