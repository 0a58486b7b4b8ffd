package dev.veilgate.console;

import org.springframework.test.context.ContextConfiguration;

/** {@link FrozenConsoleData} of a tenant whose authority has two lasting signatures. */
@ContextConfiguration(initializers = FrozenConsole.First.class)
class FrozenConsoleDataTest extends FrozenConsoleData {
    FrozenConsoleDataTest() {
        super(FrozenConsole.FIRST);
    }
}
