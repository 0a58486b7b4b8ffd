package dev.veilgate.cli;

import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import picocli.CommandLine.Option;

/** What it costs to try a passphrase of a file that a command writes. */
final class PassphraseCostOptions {
    private static final int MAX_MIB = PassphraseCost.MAX_MEMORY_KIB >> 10;

    @Option(
            names = "--memory",
            paramLabel = "MIB",
            defaultValue = "128",
            description =
                    "Memory of Argon2id in MiB, 8 to 512; default 128. More makes a guess of the passphrase dearer.")
    private int memoryMib = PassphraseCost.DEFAULT.memoryKiB() >> 10;

    PassphraseCost cost() throws CommandFailure {
        if (memoryMib < 8 || memoryMib > MAX_MIB) {
            throw new CommandFailure(ExitCode.USAGE, "--memory must be 8 to " + MAX_MIB);
        }
        return new PassphraseCost(memoryMib << 10, PassphraseCost.DEFAULT.iterations(), PassphraseCost.DEFAULT.lanes());
    }
}
