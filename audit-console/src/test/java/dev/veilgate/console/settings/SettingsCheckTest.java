package dev.veilgate.console.settings;

import dev.veilgate.application.SettingsCheckContract;
import java.nio.file.Path;
import java.util.List;

class SettingsCheckTest extends SettingsCheckContract {
    SettingsCheckTest() {
        super(
                SettingsConfiguration.settingsCheck(),
                "docs/settings-console.md",
                Path.of("audit-console/src/main/dist/console.yaml"));
    }

    @Override
    protected List<String> misspelled() {
        return List.of(
                "veilgate.search.max-row",
                "veilgate.login.isuer",
                "veilgate.serch.kept",
                "veilgate.data-dir.x",
                "veilgate.urls");
    }

    @Override
    protected List<String> right() {
        return List.of(
                "veilgate.data-dir",
                "veilgate.dataDir",
                "veilgate.search.max-rows",
                "veilgate.login.users[0].display-name",
                "veilgate.log.format",
                "server.port",
                "veilgated.x");
    }
}
