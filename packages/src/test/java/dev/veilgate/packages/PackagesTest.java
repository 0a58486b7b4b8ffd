package dev.veilgate.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The packages as an administrator meets them: installed by dpkg, started by systemd, upgraded, removed. */
class PackagesTest {
    /** Installs a package that dpkg takes for Temurin's; the JDK of the build is where that would put its own. */
    private static final String JAVA_PACKAGE = """
            mkdir -p /tmp/java/DEBIAN
            cat >/tmp/java/DEBIAN/control <<END
            Package: temurin-25-jre
            Version: 25.0.3.0.0+9
            Architecture: all
            Maintainer: nobody <nobody@veilgate.example>
            Provides: java-runtime-headless, java25-runtime-headless
            Description: stands for the package of this name
            END
            dpkg-deb --build --nocheck /tmp/java /tmp/java.deb >/dev/null
            dpkg --install /tmp/java.deb >/dev/null
            """;

    /** Leaves out the optimising compiler, for services that live for seconds. */
    private static final String QUICK_JAVA = """
            for unit in veilgate-gateway veilgate-console veilgate-agent veilgate-mail; do
              mkdir -p /etc/systemd/system/$unit.service.d
              printf '[Service]\\nEnvironment=VEILGATE_JAVA_OPTS=-XX:TieredStopAtLevel=1\\n' \\
                >/etc/systemd/system/$unit.service.d/quick.conf
            done
            """;

    /** Keys, a bundle and a sender of the tenant acme; the file env says VEILGATE_AUTHORITY. */
    private static final String AUTHORITY = """
            cd /root
            echo four words without meaning >passphrase
            veilgate quickstart acme --passphrase-file passphrase --sender press-4
            install -m 644 acme/bundle.vgb acme/bundle.senders /etc/veilgate
            """;

    private BootedDebian debian;

    @BeforeEach
    void boot() throws Exception {
        debian = BootedDebian.boot();
    }

    @AfterEach
    void end() throws Exception {
        debian.close();
    }

    /** Without archives of classes, which an upgrade makes below: they take longer than all else. */
    private String install(String... packages) {
        return debian.run("VEILGATE_ARCHIVE=no dpkg --force-unsafe-io --install /debs/"
                + String.join("_*.deb /debs/", packages) + "_*.deb 2>&1");
    }

    /** Installs the next version, whose settings are others, over a package that is installed. */
    private String upgrade(String name) {
        return debian.run("""
                rm -rf /tmp/next && dpkg-deb --raw-extract /debs/%1$s_*.deb /tmp/next
                sed -i 's/^Version: .*/Version: 1.0/' /tmp/next/DEBIAN/control
                for file in /tmp/next/etc/veilgate/*; do echo '# of the next version' >>"$file"; done
                dpkg-deb --build -Znone /tmp/next /tmp/next.deb >/dev/null
                rm -rf /tmp/next
                dpkg --force-unsafe-io --force-confold --install /tmp/next.deb 2>&1
                """.formatted(name));
    }

    /** A start with settings that forbid it fails once, with a sentence and a status that systemd takes for that. */
    private void refuses(String unit, String sentence) {
        assertThat(debian.attempt("systemctl", "start", unit).status()).isNotZero();
        assertThat(debian.run("systemctl show --property=NRestarts,ActiveState,ExecMainStatus " + unit
                        + "; journalctl --no-pager --output=cat --unit=" + unit))
                .contains("NRestarts=0", "ActiveState=failed", "ExecMainStatus=78", "status=78/CONFIG", sentence);
        debian.run("systemctl reset-failed " + unit);
    }

    private boolean isActive(String unit) {
        return debian.holds("systemctl --quiet is-active " + unit);
    }

    @Test
    void wantsAJava() {
        BootedDebian.Ended refused = debian.attempt("sh", "-c", "dpkg --install /debs/veilgate-edge_*.deb 2>&1");
        assertThat(refused.status()).isNotZero();
        assertThat(refused.said())
                .contains(
                        "veilgate-edge depends on openjdk-25-jre-headless | temurin-25-jre | java25-runtime-headless");
        debian.run(JAVA_PACKAGE);
        debian.run("dpkg --configure veilgate-edge");
        assertThat(debian.run("veilgate-edge --version")).startsWith("veilgate-edge ");
    }

    @Test
    void theServicesRunAreUpgradedAndRemoved() throws Exception {
        debian.run(JAVA_PACKAGE + QUICK_JAVA);
        String said = install("veilgate-gateway", "veilgate-console", "veilgate-edge", "veilgate");
        List<String> installed = List.of("veilgate-gateway", "veilgate-console", "veilgate-agent");
        assertThat(said)
                .contains(
                        "veilgate-gateway is installed and not started",
                        "veilgate-console is installed and not started",
                        "veilgate-edge is installed and not started");
        for (String unit : installed) {
            assertThat(isActive(unit)).as(unit).isFalse();
            assertThat(debian.attempt("systemctl", "is-enabled", unit).said())
                    .as(unit)
                    .isEqualTo("disabled\n");
        }
        assertThat(debian.run("stat -c '%a %U %G %n' /etc/veilgate/* /var/lib/veilgate*"))
                .isEqualTo("""
                        640 root veilgate-console /etc/veilgate/console.yaml
                        644 root root /etc/veilgate/gateway.yaml
                        644 root root /etc/veilgate/veilgate.yaml
                        700 veilgate veilgate /var/lib/veilgate
                        700 veilgate-console veilgate-console /var/lib/veilgate-console
                        700 veilgate-gateway veilgate-gateway /var/lib/veilgate-gateway
                        700 veilgate-console veilgate-console /var/lib/veilgate-keys
                        """);

        // Nothing is filled in: a start says what is missing, and is not tried again.
        refuses("veilgate-agent", "veilgate-edge agent run: /etc/veilgate/identity: no such file or folder");
        refuses(
                "veilgate-gateway",
                "veilgate-gateway run: there is no file /etc/veilgate/acme.vgb, which veilgate.tenants names: "
                        + "veilgate keys bundle -o acme.vgb writes the tenant's public bundle");
        refuses("veilgate-console", "veilgate-console run: there are no keys in /var/lib/veilgate-keys");

        configure();
        debian.run("systemctl enable --now veilgate-gateway veilgate-agent veilgate-console 2>&1");
        assertThat(debian.run("systemctl show --property=Type,StatusText veilgate-gateway"))
                .as("systemctl waited until it was ready")
                .contains("Type=notify", "StatusText=ready");
        debian.await(
                "the gateway is up", () -> debian.get(8080, "/actuator/health").contains("\"UP\""));
        debian.await(
                "the console is up", () -> debian.get(8090, "/actuator/health").contains("\"UP\""));
        debian.await("the agent is up", () -> debian.get(9464, "/health").contains("\"up\""));
        debian.run("echo 'level=error unit=pump msg=\"the pump overheated\"' >>/var/log/myapp/app.log");
        debian.await("what the agent sealed is found", () -> search().contains("the pump overheated"));

        addMail();
        upgradeGateway();

        // A removal stops it and keeps what it knows; so does a purge, but for the settings.
        String names = "veilgate-gateway veilgate-console veilgate-edge-mail";
        String kept = debian.run(KEPT);
        assertThat(debian.run("dpkg --remove " + names + " 2>&1")).doesNotContain("not empty");
        assertThat(debian.run("systemctl list-units --all --no-legend --state=active,failed 'veilgate*'"))
                .isEmpty();
        assertThat(debian.run(KEPT)).isEqualTo(kept).contains("gateway.yaml", "console.yaml", "veilgate.yaml");
        assertThat(debian.run("dpkg --purge " + names + " 2>&1"))
                .contains("/var/lib/veilgate-keys is kept", "/var/lib/veilgate-gateway is kept");
        assertThat(debian.run(KEPT)).isEqualTo(kept.replaceAll("/etc/veilgate/\\w+\\.yaml\n", ""));
        assertThat(debian.run("find /etc/systemd/system -path '*.wants/veilgate*'"))
                .isEmpty();
    }

    /** Puts the package with the mail proxy in the place of the one without, whose agent runs. */
    private void addMail() throws InterruptedException {
        String settings = debian.run("cat /etc/veilgate/veilgate.yaml");
        String process = process("veilgate-agent");
        assertThat(install("veilgate-edge-mail")).contains("removing veilgate-edge in favour of veilgate-edge-mail");
        assertThat(isActive("veilgate-agent")).isTrue();
        assertThat(isActive("veilgate-mail")).isFalse();
        assertThat(process("veilgate-agent")).isNotEqualTo(process);
        debian.run("dpkg --purge veilgate-edge 2>&1");
        assertThat(debian.run("cat /etc/veilgate/veilgate.yaml")).isEqualTo(settings);
        assertThat(debian.run("systemctl is-enabled veilgate-agent")).isEqualTo("enabled\n");

        debian.run("chown veilgate-mail /etc/veilgate/mail-sign* && systemctl enable --now veilgate-mail 2>&1");
        debian.await("the proxy answers", () -> debian.greeting(2525).startsWith("220 "));
    }

    /** An upgrade keeps what an administrator changed; it starts what ran again, and nothing else. */
    private void upgradeGateway() throws InterruptedException {
        String process = process("veilgate-gateway");
        debian.run("touch /usr/lib/veilgate-gateway/stale.jsa");
        assertThat(upgrade("veilgate-gateway")).doesNotContain("is installed and");
        assertThat(debian.run("ls /usr/lib/veilgate-gateway/*.jsa"))
                .as("made at the installation")
                .isEqualTo("/usr/lib/veilgate-gateway/veilgate-gateway.jsa\n");
        assertThat(process("veilgate-gateway")).isNotEqualTo(process);
        assertThat(debian.run("systemctl is-enabled veilgate-gateway")).isEqualTo("enabled\n");
        debian.run("! grep 'of the next version' /etc/veilgate/gateway.yaml");
        debian.await(
                "the next version is up",
                () -> debian.get(8080, "/actuator/health").contains("\"UP\""));
        debian.run("systemctl stop veilgate-gateway");
        debian.run("VEILGATE_ARCHIVE=no dpkg --force-unsafe-io --force-confold --install /tmp/next.deb 2>&1");
        assertThat(isActive("veilgate-gateway")).isFalse();
    }

    /** Settings, and what only the services know. */
    private static final String KEPT = """
            find /etc/veilgate -name '*.yaml' | sort
            ls -d /etc/veilgate/identity /var/lib/veilgate/spool /var/lib/veilgate-gateway/store \\
              /var/lib/veilgate-keys/keys.vgk
            """;

    private String process(String unit) {
        return debian.run("systemctl show --property=MainPID " + unit);
    }

    @Test
    void theServicesHoldThemselvesBack() {
        debian.run(JAVA_PACKAGE);
        install("veilgate-gateway", "veilgate-console", "veilgate-edge-mail");
        assertThat(debian.run("systemd-analyze verify --man=no /usr/lib/systemd/system/veilgate-*.service 2>&1"))
                .isEmpty();
        debian.run("""
                for unit in /usr/lib/systemd/system/veilgate-*.service; do
                  systemd-analyze security --offline=true --threshold=20 "$unit"
                done
                """);
    }

    private String search() {
        return debian.attempt("sh", "-c", """
                        cd /root && . acme/env
                        veilgate search --passphrase-file passphrase --gateway http://127.0.0.1:8080 \\
                          --token-file token --scope demo overheated""").said();
    }

    /** Fills in the settings as the page Operations tells, for a site that is all on this machine. */
    private void configure() {
        debian.run(AUTHORITY);
        debian.run("""
                . /root/acme/env
                cd /etc/veilgate
                sed -i -e "s/0000*/$VEILGATE_AUTHORITY/" -e 's/scope: plant-7$/scope: demo/' \\
                  -e 's/shutdown: 4 s/shutdown: 1 s/' \\
                  -e 's;url: mqtts:.*;url: mqtt://127.0.0.1:1883;' veilgate.yaml
                cp /root/acme/sender.identity identity
                chown veilgate identity
                chmod 600 identity
                mkdir /var/log/myapp /var/log/containers
                access() {
                  runuser -u veilgate-gateway -- veilgate-gateway access "$@" --tenant acme \\
                    --file /var/lib/veilgate-gateway/access
                }
                sed -i "s/0000*/$VEILGATE_AUTHORITY/; s:/etc/veilgate/acme.vgb:/etc/veilgate/bundle.vgb:" gateway.yaml
                access device press-4 >mqtt-password
                access token auditor --right search,senders,routes,status,access >/root/token
                sed -i -e 's/# user: device-1/user: press-4/' \\
                  -e 's;# password-file: /etc/veilgate/mqtt;password-file: /etc/veilgate/mqtt;' veilgate.yaml
                for end in p12 passphrase; do cp /root/acme/mail-signer.$end mail-signing.$end; done
                chown veilgate mqtt-password
                chmod 600 mqtt-password mail-sign*
                """);
        debian.run("""
                cp -r /root/acme/keys/. /var/lib/veilgate-keys
                install -m 600 /root/token /etc/veilgate/console.token
                chown -R veilgate-console /var/lib/veilgate-keys /etc/veilgate/console.token
                cat >/etc/veilgate/console.yaml <<END
                veilgate:
                  data-dir: /var/lib/veilgate-console
                  url: http://localhost:8090
                  keys:
                    folder: /var/lib/veilgate-keys
                  gateway:
                    url: http://127.0.0.1:8080
                    token-file: /etc/veilgate/console.token
                server:
                  address: 127.0.0.1
                  port: 8090
                END
                """);
    }
}
