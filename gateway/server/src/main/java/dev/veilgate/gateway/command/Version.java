package dev.veilgate.gateway.command;

import dev.veilgate.application.command.JarVersion;

/** What the jar says. */
final class Version extends JarVersion {
    Version() {
        super("veilgate-gateway");
    }
}
