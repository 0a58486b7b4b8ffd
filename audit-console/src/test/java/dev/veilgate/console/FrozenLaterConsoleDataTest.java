package dev.veilgate.console;

import org.springframework.test.context.ContextConfiguration;

/** {@link FrozenConsoleData} of a tenant whose authority has three lasting signatures. */
@ContextConfiguration(initializers = FrozenConsole.Second.class)
class FrozenLaterConsoleDataTest extends FrozenConsoleData {
    FrozenLaterConsoleDataTest() {
        super(FrozenConsole.SECOND);
    }
}
