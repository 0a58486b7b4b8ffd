package dev.veilgate.extract.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Names are sealed as keywords and searched for years later: the same message must have the same name in every release. */
class TemplateNameWireFormatTest {
    private static final Map<String, String> NAMES = Map.of(
            "Connection closed by 10.0.0.1 [preauth]", "connection-closed-by-n4ynzpeb7y",
            "Failed password for root from 10.0.0.1 port 22 ssh2", "failed-password-for-davreg4ki5",
            "[instance: 96abccce-8d1f-4e07-b6d1-4b2ab87e23b4] Took 1.03 seconds to build instance.",
                    "instance-took-seconds-hcucqqjaqv",
            "jk2_init() Found child 6725 in scoreboard slot 10", "init-found-child-qxqpnk272b",
            "uid=0 user=root open /var/log/syslog at C:\\Windows\\cbs.log", "uid-user-open-mg6zak2u3a",
            "Überhitzung im Lager", "im-lager-ovlvj2loiz",
            "", "message-ykfew33hux");

    @Test
    void namesAreFrozen() {
        NAMES.forEach((message, name) -> assertThat(new TemplateMiner(TemplateSettings.DEFAULT, InstantSource.system())
                        .learn(message)
                        .value())
                .as(message)
                .isEqualTo(name));
    }
}
