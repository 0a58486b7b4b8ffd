package dev.veilgate.program;

import dev.veilgate.terminal.Terminal;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import picocli.CommandLine;

/** Makes commands: by a constructor that takes the {@link Terminal}, or by the default one. */
record CommandFactory(Terminal terminal) implements CommandLine.IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
        Constructor<K> constructor;
        try {
            constructor = type.getDeclaredConstructor(Terminal.class);
        } catch (NoSuchMethodException e) {
            return CommandLine.defaultFactory().create(type);
        }
        constructor.setAccessible(true);
        try {
            return constructor.newInstance(terminal);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }
}
