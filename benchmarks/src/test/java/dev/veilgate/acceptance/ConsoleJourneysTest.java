package dev.veilgate.acceptance;

import dev.veilgate.benchmarks.gateway.Programs;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What people do in the browser, against the demonstration's gateway and console, with a hostile log line and hostile
 * mails among its samples.
 */
class ConsoleJourneysTest {
    @Test
    void auditorsApproversAndKeepersGetWhereTheyMayAndNobodyElseDoes(@TempDir Path folder) throws Exception {
        try (RunningDemo demo = new RunningDemo(folder)) {
            demo.mail(Journeys.hostile("mail.eml"), "invoice");
            demo.mail(Journeys.hostile("slow.eml"), "nightshift");
            demo.mail(Journeys.hostile("costly.eml"), "nightwatch");
            demo.log(Journeys.hostile("line.log"), "hostile9");
            Journeys.run(
                    "console",
                    Map.of(
                            "CONSOLE", demo.console(),
                            "VEILGATE", Programs.command(),
                            "AUTHORITY", demo.authority(),
                            "SITE", demo.site().toString()),
                    demo::logs);
        }
    }
}
