package dev.veilgate.extract.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The level of a record, in whatever form a logger writes it. */
class LevelsTest {
    /** Where a line of a log has its level. Those that are not here have none, or only some programs of them. */
    private static final Map<String, Pattern> WHERE = Map.of(
            "Android", Pattern.compile("\\S+ \\S+ +\\d+ +\\d+ ([VDIWEF]) .*"),
            "Apache", Pattern.compile("\\[[^]]+] \\[(\\w+)] .*"),
            "BGL", Pattern.compile("(?:\\S+ ){8}(\\w+) .*"),
            "HDFS", Pattern.compile("(?:\\S+ ){3}(\\w+) .*"),
            "Hadoop", Pattern.compile("\\S+ \\S+ (\\w+) .*"),
            "OpenStack", Pattern.compile("(?:\\S+ ){4}(\\w+) .*"),
            "Spark", Pattern.compile("\\S+ \\S+ (\\w+) .*"),
            "Windows", Pattern.compile("\\S+ \\S+ (\\w+) .*"),
            "Zookeeper", Pattern.compile("\\S+ \\S+ - (\\w+) .*"));

    private static final Map<String, String> LETTERS =
            Map.of("V", "trace", "D", "debug", "I", "info", "W", "warn", "E", "error", "F", "fatal");

    private static List<String> levels(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        return LogExtractor.of(ExtractorProfile.defaults(), LogFormat.AUTO).extract(bytes).keywords().stream()
                .filter(keyword -> keyword.field().equals("level"))
                .map(Keyword::value)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "Nov 21 12:23:01 press-4 app[159]: ERROR pump stopped ; error",
                "Nov 21 12:23:01 press-4 app: ERROR pump stopped ; error",
                "Nov 21 12:23:01 press-4 app[159]: [error] pump stopped ; error",
                "Nov 21 12:23:01 press-4 app[159]: warning: pump stops ; warn",
                "2026-11-21T12:23:01Z press-4 app[159]: ERROR pump stopped ; error",
                "press-4 app[159]: ERROR pump stopped ; error",
                "press-4 app: ERROR pump stopped ; error",
                "app[159]: ERROR pump stopped ; error",
                "{\"log\":{\"level\":\"error\"},\"message\":\"x\"} ; error",
                "{\"log.level\":\"WARN\"} ; warn",
                "{\"levelname\":\"CRITICAL\"} ; critical",
                "{\"severity_text\":\"Error\"} ; error",
                "{\"PRIORITY_NAME\":\"err\"} ; error",
                "{\"level\":\"info\",\"severity\":6} ; info",
                "{\"severity\":3} ; error",
                "E1121 12:23:01.500000  123 pump.go:45] pump stopped ; error",
                "I1121 12:23:01.500000       1 pump.go:45] \"Pump stopped\" ; info",
                "[2026-11-21 12:23:01] local.ERROR: pump stopped {\"exception\":\"x\"} ; error",
                "[2026-11-21 12:23:01] production.WARNING: pump stops ; warn",
                "[Sat Nov 21 12:23:01.500000 2026] [core:error] [pid 159:tid 1] pump stopped ; error",
                "[Sat Nov 21 12:23:01.500000 2026] [mpm_event:notice] [pid 159] pump goes on ; notice",
                "<3>pump stopped ; error",
                "<4>app[159]: pump stops ; warn",
                "<30>app[159]: ERROR pump stopped ; info",
                "2026-11-21T12:23:01Z [ERROR] pump stopped ; error",
                "time=\"2026-11-21T12:23:01Z\" level=error msg=\"pump stopped\" ; error",
                "ERROR: pump stopped ; error",
            })
    void areFound(String line, String level) {
        assertThat(levels(line)).containsExactly(level);
    }

    /** Of databases, servers and loggers whose lines begin otherwise than those above. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '\u00a7',
            quoteCharacter = '`',
            value = {
                "2026-11-21 12:23:01.123 UTC [159] ada@press ERROR:  duplicate key value § error",
                "2026/11/21 12:23:01 [error] 159#159: *1 open() \"/x\" failed § error",
                "21-Nov-2026 12:23:01.123 SEVERE [main] org.example.Press.start x § error",
                "12:23:01.123 [main] ERROR org.example.Press - pump stopped § error",
                "12:23:01 [ERROR] pump stopped § error",
                "ERROR:root:pump stopped § error",
                "WARNING:pump.controller:pump stops § warn",
                "fail: Pump.Server[13] § error",
                "dbug: Pump.Server[13] § debug",
                "12:23PM ERR pump stopped error=\"x\" § error",
                "2026-11-21T12:23:01Z INF starting § info",
                "ERRO[0012] pump stopped id=7 § error",
                "level=ERROR+2 msg=x id=7 § error",
                "Level=Error, Message=x § error",
                "ERROR [main] 2026-11-21 12:23:01,123 Pump.java:465 - pump stopped § error",
                "[ERROR] 2026-11-21 12:23:01 pump stopped § error",
                "159:M 21 Nov 2026 12:23:01.123 # pump stops § warn",
                "159:M 21 Nov 2026 12:23:01.123 * pump goes on § notice",
                "{\"t\":{\"$date\":\"2026-11-21T12:23:01.123+00:00\"},\"s\":\"E\",\"c\":\"NETWORK\",\"msg\":\"x\"} § error",
                "{\"t\":{\"$date\":\"2026-11-21T12:23:01.123+00:00\"},\"s\":\"D2\",\"c\":\"NETWORK\",\"msg\":\"x\"} § debug",
                "2026-11-21T12:23:01.123+0000 E NETWORK  [listener] pump stopped § error",
                "E/Press( 159): pump stopped § error",
                "11-21 12:23:01.123 E/Press   (  159): pump stopped § error",
                "[12:23:01 ERR] pump stopped § error",
                "[12:23:01 VRB] x § trace",
                "[12:23:01] [Server thread/ERROR]: pump stopped § error",
                "[21-Nov-2026 12:23:01 UTC] PHP Fatal error:  Uncaught Error: x in /a.php:3 § fatal",
                "[21-Nov-2026 12:23:01 UTC] PHP Warning:  x in /a.php on line 3 § warn",
                "[21-Nov-2026 12:23:01] NOTICE: ready § notice",
                "{\"LevelDisplayName\":\"Error\",\"Computer\":\"press-4\"} § error",
                "{\"labels\":{\"level\":\"error\"},\"msg\":\"x\"} § error",
                "{\"level\":{\"name\":\"error\"},\"msg\":\"x\"} § error",
                "t=2026-11-21T12:23:01+0000 lvl=eror msg=\"x\" § error",
                "Nov 21 12:23:01 press-4 app[159]: level=error msg=\"x\" § error",
                "Nov 21 12:23:01 press-4 app[159]: time=\"2026-11-21T12:23:01Z\" level=error msg=\"x\" § error",
                "Nov 21 12:23:01 press-4 app[159]: {\"level\":\"error\",\"msg\":\"x\"} § error",
                "Nov 21 12:23:01 press-4 app[159]: 2026-11-21 12:23:01,123 ERROR pump stopped § error",
                "Nov 21 12:23:01 press-4 app[159]: [2026-11-21 12:23:01] [error] pump stopped § error",
                "**ERROR** pump stopped § error",
                "2026-11-21 12:23:01.1234|159|ERROR|Press.Pump|pump stopped § error",
                "2026-11-21 12:23:01;ERROR;pump stopped § error",
                "2026-11-21 12:23:01,ERROR,pump,stopped § error",
                "\"2026-11-21 12:23:01\",\"ERROR\",\"pump stopped\" § error",
                "E20261121 12:23:01.123456   159 pump.cc:12] pump stopped § error",
                "E0000 00:00:1732191781.123456     159 pump.cc:12] pump stopped § error",
                "[2026-11-21 12:23:01.123][159][error][pump] [source/pump.cc:12] pump stopped § error",
                "Sat Nov 21 12:23:01 UTC 2026 ERROR pump stopped § error",
                "21/11/2026 12:23:01 ERROR pump stopped § error",
                "11/21/2026 12:23:01 PM ERROR pump stopped § error",
                "[Nest] 159  - 11/21/2026, 12:23:01 PM   ERROR [Press] pump stopped § error",
                "pump-1  | ERROR pump stopped § error",
            })
    void areFoundInLinesOfOtherKinds(String line, String level) {
        assertThat(levels(line)).containsExactly(level);
    }

    @Test
    void aLetterIsFoundAsItIsAndByItsName() {
        assertThat(levels("{\"level\":\"E\",\"message\":\"x\"}")).containsExactlyInAnyOrder("e", "error");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Nov 21 12:23:01 press-4 app[159]: Error is what nobody makes",
                "Nov 21 12:23:01 press-4 app[159]: fine, it goes on then",
                "Nov 21 12:23:01 press-4 app[159]: pump error: stopped",
                "the pump reports an error: stopped",
                "<999>pump stopped",
                "E1121 is a part",
                "at 12:23:01 error is what nobody makes",
                "12:23:01 the pump reports an error",
                "E/Press is a file",
                "E 12 is a number",
                "{\"s\":\"E\",\"x\":1}",
                "Nov 21 12:23:01 press-4 app[159]: {\"text\":\"the level is error\"}",
                "Nov 21 12:23:01 press-4 app[159]: [pump] reports an error",
                "{\"status\":500}"
            })
    void areNotWordsOfSentences(String line) {
        assertThat(levels(line)).isEmpty();
    }

    /** What is written as a number stays found by the number. */
    @Test
    void numbersAreNamesToo() {
        assertThat(levels("{\"level\":30,\"msg\":\"x\"}")).containsExactlyInAnyOrder("30", "info");
        assertThat(levels("{\"level\":3,\"short_message\":\"x\"}")).containsExactlyInAnyOrder("3", "error");
        assertThat(levels("{\"level\":400,\"level_name\":\"ERROR\"}")).containsExactlyInAnyOrder("400", "error");
        assertThat(levels("{\"level\":77}")).containsExactly("77");
    }

    /** By the place of each log's level, which another expression finds. */
    @Test
    void areThoseOfRealLogs() throws Exception {
        Map<String, Integer> compared = new HashMap<>();
        for (Map.Entry<String, List<byte[]>> log : Loghub.logs().entrySet()) {
            Pattern where = WHERE.get(log.getKey());
            for (byte[] line : where == null ? List.<byte[]>of() : log.getValue()) {
                String text = new String(line, StandardCharsets.ISO_8859_1);
                Matcher found = where.matcher(text);
                if (found.matches()) {
                    String written = found.group(1);
                    String level = LETTERS.getOrDefault(written, common(written));
                    assertThat(levels(text)).as(text).containsExactly(level);
                    compared.merge(log.getKey(), 1, Integer::sum);
                }
            }
        }
        if (System.getProperty("veilgate.data") != null) {
            assertThat(compared).hasSameSizeAs(WHERE);
            assertThat(compared.values()).allMatch(lines -> lines > 1900);
        }
    }

    private static String common(String written) {
        return switch (written) {
            case "WARNING", "WARN" -> "warn";
            case "SEVERE", "FAILURE" -> "error";
            default -> written.toLowerCase(Locale.ROOT);
        };
    }
}
