package dev.veilgate.gateway.settings;

import dev.veilgate.application.SettingsCheckContract;
import java.nio.file.Path;
import java.util.List;

class SettingsCheckTest extends SettingsCheckContract {
    SettingsCheckTest() {
        super(
                SettingsConfiguration.settingsCheck(),
                "docs/settings-gateway.md",
                Path.of("gateway/server/src/main/dist/gateway.yaml"));
    }

    @Override
    protected List<String> misspelled() {
        return List.of("veilgate.search.grant", "veilgate.smpt.domains", "veilgate.data-dir.x");
    }

    @Override
    protected List<String> right() {
        return List.of(
                "veilgate.data-dir",
                "veilgate.dataDir",
                "veilgate.search.grants",
                "veilgate.smtp.listeners[0].tls",
                "veilgate.smtp.domains[example.org].plain",
                "veilgate.log.format",
                "server.port");
    }
}
