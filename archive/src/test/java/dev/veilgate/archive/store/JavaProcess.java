package dev.veilgate.archive.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A process of the same Java runtime and class path, to be killed. */
final class JavaProcess {
    /** Exit code of a process that was ended by signal 9. */
    static final int KILLED = 128 + 9;

    private JavaProcess() {}

    static Process start(Class<?> main, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        Collections.addAll(
                command,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
